# The source of a variant is what it was compiled from; what cannot be shown is told in one line; nothing outside is read.
. "$CLI/lib.sh"
aisp bench source ch07:transpose/tiled >shown
cmp shown "$SOURCE/chapters/ch07/transpose/optimized_tiled.c" && echo "as it is"
aisp bench source ch07:transpose/tiled --json >value
sed -n 's/.*"\(path\|language\|idea\)": \(.*\)/\1 \2/p' value
aisp bench source ch07:transpose; echo $?
aisp bench source ch07:transpose/tilde --device cpu; echo $?
aisp bench source ch07:transpose/tilde 2>&1 | grep -c baseline,.*baseline,

# Objects as they are installed: without sources.
target my/double
variant good.c
object good.c targets/my/double/optimized_good.so
show() { aisp bench source "my:double/$1" --bench-root targets; echo $?; }
show good
printf '%s\n%s\n' "$PWD/moved" "$PWD/sources" >targets/my/double/SOURCE
show good
mkdir -p sources
printf '%s\n%s\n' "$PWD/sources" "$PWD/moved" >targets/my/double/SOURCE
show good
printf '%s\n%s\n' "$PWD/sources" "$PWD/sources" >targets/my/double/SOURCE
show good

# What lies there instead of a source.
for name in link outside pipe folder large bytes zero; do object good.c targets/my/double/optimized_$name.so; done
echo secret >secret
ln -s "$PWD/good.c" sources/optimized_link.c
ln -s ../secret sources/optimized_outside.c
mkfifo sources/optimized_pipe.c
mkdir sources/optimized_folder.c
head -c 262145 /dev/zero | tr '\0' x >sources/optimized_large.c
printf '\377\376' >sources/optimized_bytes.c
printf 'a\0b' >sources/optimized_zero.c
for name in link outside pipe folder large bytes zero; do show $name; done
show ../../../../secret

# What a source says is never an order to the terminal, and in JSON it is the text itself.
printf '/* \033[31mred\t<script> */\n' >sources/optimized_good.c
touch -d 2001-01-01 sources/optimized_good.c
show good
aisp bench source my:double/good --bench-root targets --json | grep '"text"'
# Assembly that is linked with it, and a file that was changed since.
echo '.text' >sources/optimized_good_part.S
touch sources/optimized_good.c
touch -d 2001-01-01 targets/my/double/optimized_good.so
show good
# Orders of two bytes are none either, and a name that cannot be said is not said.
printf '/* \302\2331mred */\n' >sources/optimized_good.c
: >"sources/optimized_good_$(printf '\377').S"
show good | sed '/^note/d'
