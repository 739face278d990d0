/* dom.js - preact and htm under the names that all files use.
 * Data is only ever a child or an attribute here, so a name from a record is text and never markup. */
import { h } from 'preact';
import htm from 'htm';

export const html = htm.bind(h);
export { Component, Fragment, render } from 'preact';
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
