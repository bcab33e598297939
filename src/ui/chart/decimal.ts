/**
 * What recharts uses of decimal.js-light to find the ticks of an axis, over plain numbers; see
 * vite.config.ts. Twelve digits are kept, so that 0.1 + 0.2 is 0.3 on an axis, too.
 */
const DIGITS = 12

export class Decimal {
  readonly #value: number

  constructor(value: number | string | Decimal) {
    const number = value instanceof Decimal ? value.toNumber() : Number(value)
    this.#value = Number.isFinite(number) ? Number(number.toPrecision(DIGITS)) : number
  }

  toNumber(): number {
    return this.#value
  }

  abs(): Decimal {
    return new Decimal(Math.abs(this.#value))
  }

  add(other: number | Decimal): Decimal {
    return new Decimal(this.#value + numberOf(other))
  }

  sub(other: number | Decimal): Decimal {
    return new Decimal(this.#value - numberOf(other))
  }

  mul(other: number | Decimal): Decimal {
    return new Decimal(this.#value * numberOf(other))
  }

  div(other: number | Decimal): Decimal {
    return new Decimal(this.#value / numberOf(other))
  }

  /** 0.3 mod 0.1 is 0: by the quotient, which is rounded, and not by the bits. */
  mod(other: number | Decimal): Decimal {
    const quotient = this.div(other).toNumber()
    return this.sub(new Decimal(other).mul(Math.trunc(quotient)))
  }

  pow(exponent: number): Decimal {
    return new Decimal(this.#value ** exponent)
  }

  /** Only to base 10, exact for powers of ten. */
  log(_base: 10): Decimal {
    return new Decimal(Math.log10(this.#value))
  }

  isint(): boolean {
    return Number.isInteger(this.#value)
  }

  lt(other: number | Decimal): boolean {
    return this.#value < numberOf(other)
  }

  lte(other: number | Decimal): boolean {
    return this.#value <= numberOf(other)
  }
}

const numberOf = (value: number | Decimal): number =>
  typeof value === 'number' ? value : value.toNumber()
