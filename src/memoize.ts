/** Calls `make` once for each object, and keeps the value as long as the object lives. */
export function memoize<Argument extends object, Value>(
  make: (argument: Argument) => Value,
): (argument: Argument) => Value {
  const made = new WeakMap<Argument, Value>();
  return (argument) => {
    let value = made.get(argument);
    if (value === undefined) made.set(argument, (value = make(argument)));
    return value;
  };
}
