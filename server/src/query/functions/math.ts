/** Mathematical functions. Those typed FLOAT are rounded by the generator. */
import type { BuiltIn, FunctionContext } from './functions.ts'

type Real = (...args: readonly number[]) => number

const reals: readonly (readonly [string, Real])[] = [
  ['abs', (x) => Math.abs(x!)],
  ['sqrt', (x) => Math.sqrt(x!)],
  ['pow', (x, y) => x! ** y!],
  ['floor', (x) => Math.floor(x!)],
  ['ceil', (x) => Math.ceil(x!)],
  ['round', (x, digits = 0) => roundAway(x!, digits)],
  ['trunc', (x, digits = 0) => Math.trunc(x! * 10 ** digits) / 10 ** digits],
  ['log', (x) => Math.log(x!)],
  ['log2', (x) => Math.log2(x!)],
  ['log10', (x) => Math.log10(x!)],
  ['exp', (x) => Math.exp(x!)],
  ['fmod', (x, y) => x! % y!],
  ['ldexp', (x, y) => x! * 2 ** y!],
  ['square', (x) => x! * x!],
  ['sign', (x) => Math.sign(x!)],
  ['pi', () => Math.PI],
  ['sin', (x) => Math.sin(x!)],
  ['cos', (x) => Math.cos(x!)],
  ['tan', (x) => Math.tan(x!)],
  ['asin', (x) => Math.asin(x!)],
  ['acos', (x) => Math.acos(x!)],
  ['atan', (x) => Math.atan(x!)],
  ['atan2', (x, y) => Math.atan2(x!, y!)],
  ['sinh', (x) => Math.sinh(x!)],
  ['cosh', (x) => Math.cosh(x!)],
  ['tanh', (x) => Math.tanh(x!)],
  ['cot', (x) => 1 / Math.tan(x!)],
  ['degrees', (x) => (x! * 180) / Math.PI],
  ['radians', (x) => (x! * Math.PI) / 180],
  ['float_to_int', (x) => Math.trunc(x!)],
]

/** Half away from zero. */
function roundAway(value: number, digits: number): number {
  const scale = 10 ** digits
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale
}

export function mathFunctions(context: FunctionContext): readonly (readonly [string, BuiltIn])[] {
  const random: readonly [string, BuiltIn] = ['rand', () => context.random()]
  return [...reals.map(([name, real]) => [name, asBuiltIn(real)] as const), random]
}

function asBuiltIn(real: Real): BuiltIn {
  return (...args) => real(...(args as readonly number[]))
}
