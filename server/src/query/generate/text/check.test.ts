import { describe, expect, it } from 'vitest'
import { checkText } from './check.ts'

describe('the check of generated text', () => {
  it('lets through what the generator writes', () => {
    const text = `const b0=B[0];const poll=R.poll;let g0=0,g0_c=0,v1=null;
      function q3(){let ec=0,rc=0;const v1_t2=columnPart(v1,2);
      for(let j4=0;j4<v1_t2.length;j4++){if(++rc+ec>8192){poll(ec,rc);ec=0;}v1_t2[j4]=1.5e-7*(-0)+2n;}}`
    expect(() => checkText(text)).not.toThrow()
  })

  it.each([
    ['process.exit()', 'names process'],
    ['globalThis', 'names globalThis'],
    ['b0.constructor', 'reads a property'],
    ['b0["constructor"]', 'character it may not have'],
    ["let g0='x';", 'character it may not have'],
    ['g0=`x`', 'character it may not have'],
    ['b0.__proto__', 'reads a property'],
    ['import(b0)', 'names import'],
    ['eval(b0)', 'names eval'],
    ['new b0', 'names new'],
    ['this', 'names this'],
    ['b0 . b1', 'reads a property'],
    ['b0 .\n constructor', 'reads a property'],
    ['\\u0061', 'character it may not have'],
    ['Person', 'names Person'],
    ['#x', 'character it may not have'],
    ['a@b', 'names a'],
  ])('refuses %s', (text, message) => {
    expect(() => checkText(text)).toThrow(message)
  })
})
