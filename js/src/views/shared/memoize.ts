/** What is dear to make is made once for each key. */

export function memoize<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as T;
  };
}

/** The last answer again, while it is asked with the same. */
export function remember<A extends readonly unknown[], T>(make: (...given: A) => T): (...given: A) => T {
  let last: { readonly given: A; readonly made: T } | null = null;
  return (...given) => {
    if (!last?.given.every((one, k) => Object.is(one, given[k]))) last = { given, made: make(...given) };
    return last.made;
  };
}
