import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const mebibyte = 1024 * 1024
/** What a document unpacks to may not be larger than this in one piece. */
const mostBytes = 16 * mebibyte
/** Pieces from this size on count; after so many bytes of them, those that nobody needs any more are given back. */
const countedBytes = 64 * 1024
const collectAfter = 32 * mebibyte

/**
 * Lets this process take little memory outside its heap, which the limit of the heap does not count: a document of kilobytes
 * can unpack to gigabytes. Call it once in a process that reads one document.
 */
export function limitAllocations(): void {
  // It unpacks where nothing counts; readers of documents have their own for where there is none.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  const count = counter()
  globalThis.Uint8Array = limited(globalThis.Uint8Array, count)
  globalThis.Uint8ClampedArray = limited(globalThis.Uint8ClampedArray, count)
  globalThis.ArrayBuffer = limited(globalThis.ArrayBuffer, count)
}

function counter(): (bytes: number) => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  let taken = 0
  return (bytes) => {
    if (bytes > mostBytes) throw new RangeError('Too much memory.')
    if (bytes < countedBytes) return
    taken += bytes
    if (taken < collectAfter || typeof collect !== 'function') return
    collect()
    taken = 0
  }
}

function limited<T extends abstract new (...given: never[]) => object>(
  type: T,
  count: (bytes: number) => void,
): T {
  return new Proxy(type, {
    construct: (target, given: unknown[], newTarget) => {
      if (typeof given[0] === 'number') count(given[0])
      return Reflect.construct(target, given, newTarget)
    },
  })
}
