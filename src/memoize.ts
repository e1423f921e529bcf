/** Calls `make` once for each object, and keeps the value as long as the object lives. */
export function memoize<Given extends object, Value>(make: (given: Given) => Value): (given: Given) => Value {
  const made = new WeakMap<Given, Value>();
  return (given) => {
    let value = made.get(given);
    if (value === undefined) made.set(given, (value = make(given)));
    return value;
  };
}
