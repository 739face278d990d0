/* It compiles, and is none.
 * @reason refused */
int answer(void);
int answer(void)
{
    return 42;
}
