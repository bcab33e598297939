import { expect, it } from 'vitest'
import { FORM_FIELDS_MAX } from '#kernel/limits.ts'
import { isForm, parseForm } from './form.ts'

it('tells forms from JSON', () => {
  for (const text of ['name=j', ' name=j&dryrun=True', 'sys.data_root=%2Ftmp', 'a+b=']) {
    expect(isForm(Buffer.from(text)), text).toBe(true)
  }
  for (const text of ['', '{"name":"a=b"}', '[{"name":"j"}]', '"a=b"', 'name', '=1']) {
    expect(isForm(Buffer.from(text)), text).toBe(false)
  }
})

it('reads values as what they are, and repeated names as lists', () => {
  const text = 'name=j&dryrun=True&maxNumError=3&maxPercentError=0.5&sys.data_root=a%20b&x=1&x=y'
  expect(parseForm(Buffer.from(text))).toEqual({
    name: 'j',
    dryrun: true,
    maxNumError: 3,
    maxPercentError: 0.5,
    'sys.data_root': 'a b',
    x: [1, 'y'],
  })
})

it('leaves out sources of which only names are left', () => {
  expect(parseForm(Buffer.from('name=j&dataSources=filename&dataSources=path'))).toEqual({
    name: 'j',
  })
  expect(parseForm(Buffer.from('name=j&dataSources=filename'))).toEqual({ name: 'j' })
  const whole = encodeURIComponent('[{"filename":"f","path":"p"}]')
  expect(parseForm(Buffer.from(`name=j&dataSources=${whole}`))).toEqual({
    name: 'j',
    dataSources: [{ filename: 'f', path: 'p' }],
  })
})

it('reads a thousand fields and no more', () => {
  const form = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=${index}`)
  const fields = parseForm(Buffer.from(form(FORM_FIELDS_MAX).join('&')))
  expect(fields[`f${FORM_FIELDS_MAX - 1}`]).toBe(FORM_FIELDS_MAX - 1)
  const more = Buffer.from(form(FORM_FIELDS_MAX + 1).join('&'))
  expect(() => parseForm(more)).toThrow('A form has at most 1000 fields.')
})
