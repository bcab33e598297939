import { describe, expect, it } from 'vitest'
import { freeNames } from './free-names.ts'

describe('the free names of a text', () => {
  it.each([
    ['for(let j1=k2;j1<k3;j1++){const c4=r5===null?j1:r5[j1];}', ['k2', 'k3', 'r5']],
    ['let p1=b0[c2],n3=b0[c2+1];ec+=n3-p1;', ['c2']],
    ['const y1=poll(ec,rc),w2=v0_t1[y1,t3];', ['v0_t1', 't3']],
    ['if(x1.length>1e3&&true)l5=ck(l5+0x1);', ['x1', 'l5']],
    ['{const u=s3;m1_t2[u>>>5]|=1<<(u&31);}', ['s3', 'm1_t2']],
  ])('%s', (text, names) => {
    expect(freeNames(text)).toEqual(names)
  })
})
