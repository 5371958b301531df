import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { maxFileBytes } from '@/lib/protocol/tool'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { makePdf, pagesOf } from '../support/make-pdf'
import { addPerson } from '../support/people'

/** `npm run proof` measures; a machine that is busy with something else shows nothing. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const promisedMs = 100

/** Returns a file of the largest size that begins so, filled up with what `fill` repeats. */
function largest(head: Uint8Array, fill: Uint8Array): Uint8Array {
  const file = Buffer.alloc(maxFileBytes)
  for (let at = head.length; at < file.length; at += fill.length) file.set(fill.subarray(0, file.length - at), at)
  file.set(head)
  return file
}

const pngHead = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
const files: Record<string, () => Uint8Array> = {
  'an image': () => largest(pngHead, randomBytes(1 << 20)),
  'a text': () => largest(Buffer.from(randomBytes(8).toString('hex')), Buffer.from('Größe und Maß. ')),
  'a text of one kind of character': () => largest(Buffer.from(randomBytes(8).toString('hex')), Buffer.from('a')),
  'a PDF': () => Buffer.concat([largest(Buffer.from('%PDF-1.7\n% '), randomBytes(1 << 20).map((byte) => (byte % 26) + 97)).subarray(0, maxFileBytes - 4_000), makePdf(pagesOf(['words']))]),
  'a PDF of many beginnings': () => largest(Buffer.from('%PDF-1.7\n1 0 obj\n'), Buffer.from('1 0 obj ')),
}

test.each(Object.entries(files))('others wait at most a moment while %s of 20 MiB is uploaded', async (name, make) => {
  const ctx = await addPerson('member')
  const content = make()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const began = performance.now()
  await uploadFile(ctx, { name: 'large', content, dataClass: null })
  delay.disable()
  const longestMs = delay.max / 1e6
  console.log(name, Math.round(longestMs), 'of', Math.round(performance.now() - began))
  if (full) expect(longestMs).toBeLessThan(promisedMs)
})
