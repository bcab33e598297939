/**
 * An array whose elements may change while somebody reads an older version of it.
 *
 * Elements stand in pages of `1 << shift`. A page that a pinned version sees is copied to a spare
 * page of the same array before it changes; `directory` then says where each logical page lies.
 * Without a directory every page is at home and element i is `array[i]`. When the last version
 * that sees a page is gone the page is freed, and a page whose home is free is copied back, so that
 * readers meet a directory only while writes overlap long reads.
 *
 * With a stride an element is so many cells of `array`, which begin at `at(i) * stride`.
 */
import { assert } from '#kernel/assert.ts'
import { allocateWords } from './allocate.ts'
import { type ArrayKind, type ArrayOfKind, Growable, type Meter } from './growable.ts'
import type { PageOwner, Versions } from './versions.ts'

export interface PagedOptions<K extends ArrayKind> {
  readonly kind: K
  readonly shift: number
  /** Cells of `array` per element; absent: 1. */
  readonly stride?: number
  readonly meter: Meter
  readonly versions: Versions
  readonly initial?: ArrayOfKind[K]
  /** Living pins see `initial`: it is copied before it changes. */
  readonly isSeen?: boolean
}

/** Elements from `at` on, which lie at `start .. end - 1`. */
export interface Stretch {
  readonly at: number
  readonly start: number
  readonly end: number
}

/** A physical page that was replaced: pins after the one epoch, up to the other, see it. */
interface RetiredPage {
  readonly page: number
  readonly afterEpoch: number
  readonly lastEpoch: number
}

export class PagedArray<K extends ArrayKind> implements PageOwner {
  /** The physical elements; re-read after `ensure` and `touch`. */
  array: ArrayOfKind[K]
  /** Physical page of each logical page; null: every page is at home. */
  directory: Uint32Array | null = null
  /** Logical elements there is room for. */
  capacity: number
  readonly kind: K
  readonly stride: number
  readonly #memory: Growable<K>
  readonly #shift: number
  readonly #mask: number
  readonly #versions: Versions
  readonly #pageBytes: number
  /** Epoch at which the present copy of each logical page was made. */
  #epochs: number[] = []
  /** A view holds `directory`: clone it before it changes. */
  #directoryShared = false
  #physicalPageCount = 0
  #displacedCount = 0
  #retired: RetiredPage[] = []
  #free: number[] = []

  constructor(options: PagedOptions<K>) {
    this.kind = options.kind
    this.#memory = new Growable(options.kind, options.meter, options.initial)
    this.#shift = options.shift
    this.stride = options.stride ?? 1
    this.#mask = (1 << options.shift) - 1
    this.#versions = options.versions
    this.array = this.#memory.array
    this.capacity = this.#room()
    this.#pageBytes = (this.array.BYTES_PER_ELEMENT << options.shift) * this.stride
    if (options.isSeen === true) {
      this.#epochs = new Array(Math.ceil(this.capacity / (this.#mask + 1))).fill(0)
    }
    this.#extendEpochs()
  }

  get sizeBytes(): number {
    return this.#memory.sizeBytes
  }

  /** Room for `length` logical elements; new ones are 0. */
  ensure(length: number): void {
    if (length <= this.capacity) return
    if (this.directory === null) {
      this.#memory.ensure(length * this.stride)
      this.array = this.#memory.array
      this.capacity = this.#room()
    } else {
      this.#extendDirectory(Math.ceil((length * 1.1) / (this.#mask + 1)))
    }
    this.#extendEpochs()
  }

  /** Where element `index` lies, for reading. */
  at(index: number): number {
    const directory = this.directory
    if (directory === null) return index
    return (directory[index >> this.#shift]! << this.#shift) | (index & this.#mask)
  }

  /**
   * Elements, as few stretches of `array` as they lie in. What is missing at the end is zero.
   * @param from the first of a page
   */
  *stretches(from = 0, to = this.capacity): Generator<Stretch> {
    const { directory } = this
    if (directory === null) {
      const end = Math.min(to, this.#room())
      if (end > from) yield { at: from, start: from, end }
      return
    }
    const size = this.#mask + 1
    const pageEnd = Math.min(Math.ceil(to / size), directory.length)
    for (let page = from / size; page < pageEnd; page++) {
      const first = page
      while (page + 1 < pageEnd && directory[page + 1] === directory[page]! + 1) page++
      const start = directory[first]! * size
      const end = Math.min(start + (page + 1 - first) * size, this.#room())
      if (end > start) yield { at: first * size, start, end }
    }
  }

  /** Where element `index` lies, for changing it: copies the page first if a pin sees it. */
  touch(index: number): number {
    const newest = this.#versions.newest
    if (newest !== 0) {
      const page = index >> this.#shift
      if (this.#epochs[page]! < newest) this.#copyPage(page)
    }
    return this.at(index)
  }

  /** Gives elements `from .. to - 1` a number. Not with a stride. */
  fill(from: number, to: number, value: number | bigint): void {
    for (let start = from; start < to; ) {
      const isWhole = this.directory === null && this.#versions.newest === 0
      const end = isWhole ? to : Math.min(to, (start | this.#mask) + 1)
      const position = this.touch(start)
      fillCells(this.array, value, { start: position, end: position + end - start })
      start = end
    }
  }

  /** The directory for a view; the writer clones it before its next change. */
  shareDirectory(): Uint32Array | null {
    this.#directoryShared = this.directory !== null
    return this.directory
  }

  release(): void {
    this.#versions.freed(this.#pageBytes * this.#retired.length)
    this.#retired = []
    this.#displacedCount = 0
    this.#memory.release()
  }

  get isSettled(): boolean {
    return this.directory === null
  }

  collect(pagesMax: number): number {
    if (this.directory === null) return 0
    const unseen = this.#takeUnseen(pagesMax)
    for (const page of unseen) this.#freePage(page)
    if (this.#displacedCount === 0 && this.#retired.length === 0) this.#settle()
    return unseen.length
  }

  /** Takes retired pages that no living pin sees from the list. */
  #takeUnseen(countMax: number): number[] {
    const retired = this.#retired
    const unseen: number[] = []
    let [seenCount, next] = [0, 0]
    for (; next < retired.length && unseen.length < countMax; next++) {
      const { page, afterEpoch, lastEpoch } = retired[next]!
      if (this.#versions.hasPinWithin(afterEpoch, lastEpoch)) retired[seenCount++] = retired[next]!
      else unseen.push(page)
    }
    retired.splice(seenCount, next - seenCount)
    return unseen
  }

  /** Everything is at home again. The spare pages are zero, and room for the next copies. */
  #settle(): void {
    // Not all the room: counted as elements, spare pages would need spare pages of their own.
    this.capacity = this.directory!.length << this.#shift
    this.directory = null
    this.#directoryShared = false
    this.#free = []
    this.#physicalPageCount = 0
    this.#extendEpochs()
  }

  /** Whole elements that the memory has cells for. */
  #room(): number {
    return Math.floor(this.array.length / this.stride)
  }

  #copyPage(page: number): void {
    this.#openDirectory()
    const spare = this.#allocatePage()
    const directory = this.directory!
    const old = directory[page]!
    this.#copyElements(old, spare)
    directory[page] = spare
    if (old === page) this.#displacedCount += 1
    this.#retire(page, old)
  }

  #openDirectory(): void {
    if (this.directory === null) {
      const pageCount = Math.ceil(this.capacity / (this.#mask + 1))
      this.directory = allocateWords(pageCount)
      for (let page = 0; page < pageCount; page++) this.directory[page] = page
      this.#physicalPageCount = pageCount
      this.capacity = pageCount << this.#shift
      this.#ensurePhysical(pageCount)
      this.#extendEpochs()
    } else if (this.#directoryShared) {
      this.directory = this.directory.slice()
    }
    this.#directoryShared = false
  }

  #allocatePage(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    this.#physicalPageCount += 1
    this.#ensurePhysical(this.#physicalPageCount)
    return this.#physicalPageCount - 1
  }

  #ensurePhysical(pageCount: number): void {
    this.#memory.ensureTight((pageCount << this.#shift) * this.stride)
    this.array = this.#memory.array
  }

  #freePage(page: number): void {
    this.#versions.freed(this.#pageBytes)
    this.#vacate(page)
  }

  /** A page that nobody sees any more: refilled if it is a home, else zeroed for new rows. */
  #vacate(page: number): void {
    const away = this.directory![page]
    assert(away !== page, 'a page in use was freed')
    if (away === undefined) {
      this.#zero(page)
      this.#free.push(page)
      return
    }
    this.#copyElements(away, page)
    this.#openDirectory()
    this.directory![page] = page
    this.#displacedCount -= 1
    const isSeen = this.#epochs[page]! < this.#versions.newest
    if (isSeen) this.#retire(page, away)
    else {
      this.#epochs[page] = this.#versions.epoch
      this.#vacate(away)
    }
  }

  /** A logical page has a new copy: the physical page before it stays for those who see it. */
  #retire(logicalPage: number, page: number): void {
    const { epoch, newest: lastEpoch } = this.#versions
    this.#retired.push({ page, afterEpoch: this.#epochs[logicalPage]!, lastEpoch })
    this.#epochs[logicalPage] = epoch
    this.#versions.copied(this, this.#pageBytes)
  }

  #extendDirectory(pageCount: number): void {
    const old = this.directory!
    const directory = allocateWords(Math.max(pageCount, old.length))
    directory.set(old)
    this.directory = directory
    this.#directoryShared = false
    // At once: one page at a time is a call of the system for each.
    const newCount = Math.max(0, pageCount - old.length)
    this.#ensurePhysical(Math.max(pageCount, this.#physicalPageCount + newCount))
    for (let page = old.length; page < pageCount; page++) directory[page] = this.#homeOrSpare(page)
    this.capacity = directory.length << this.#shift
  }

  #homeOrSpare(page: number): number {
    if (page >= this.#physicalPageCount) {
      this.#physicalPageCount = page + 1
      this.#ensurePhysical(this.#physicalPageCount)
      return page
    }
    const freeIndex = this.#free.indexOf(page)
    if (freeIndex >= 0) {
      this.#free.splice(freeIndex, 1)
      return page
    }
    this.#displacedCount += 1
    return this.#allocatePage()
  }

  /** Pages that come into being now are seen by no living pin. */
  #extendEpochs(): void {
    const pageCount = Math.ceil(this.capacity / (this.#mask + 1))
    while (this.#epochs.length < pageCount) this.#epochs.push(this.#versions.epoch)
  }

  #copyElements(from: number, to: number): void {
    const cells = this.stride << this.#shift
    this.array.copyWithin(to * cells, from * cells, (from + 1) * cells)
  }

  #zero(page: number): void {
    const { array } = this
    const cells = this.stride << this.#shift
    const start = page * cells
    fillCells(array, 0, { start, end: Math.min(start + cells, array.length) })
  }
}

function fillCells(
  array: ArrayOfKind[keyof ArrayOfKind],
  value: number | bigint,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  if (array instanceof BigInt64Array || array instanceof BigUint64Array) {
    array.fill(BigInt(value), start, end)
  } else array.fill(Number(value), start, end)
}
