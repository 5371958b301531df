import { createHash, randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { maxFileBytes } from '@/lib/protocol/files/given-files'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { db } from '@/tests/support/fixture-db'
import { makePdf, pagesOf } from '@/tests/support/make-pdf'
import { addPerson } from '@/tests/support/people'

/** `npm run proof` measures; a machine that is busy with something else shows nothing. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const promisedMs = 100

/** Returns a file of the largest size that begins so, filled up with what `fill` repeats. */
function largest(head: Uint8Array, fill: Uint8Array): Uint8Array {
  const file = Buffer.alloc(maxFileBytes)
  for (let at = head.length; at < file.length; at += fill.length)
    file.set(fill.subarray(0, file.length - at), at)
  file.set(head)
  return file
}

const pngHead = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
const letters = randomBytes(1 << 20).map((byte) => (byte % 26) + 97)
const longPdf = largest(Buffer.from('%PDF-1.7\n% '), letters).subarray(0, maxFileBytes - 4_000)

const files: [what: string, type: string, make: () => Uint8Array][] = [
  ['an image', 'image/png', () => largest(pngHead, randomBytes(1 << 20))],
  ['a text', 'text/plain', () => largest(letters.subarray(0, 16), Buffer.from('Größe und Maß. '))],
  ['a text of one letter', 'text/plain', () => largest(letters.subarray(0, 16), Buffer.from('a'))],
  ['a PDF', 'application/pdf', () => Buffer.concat([longPdf, makePdf(pagesOf(['words']))])],
  [
    'a PDF of many beginnings',
    'application/pdf',
    () => largest(Buffer.from('%PDF-1.7\n1 0 obj\n'), Buffer.from('1 0 obj ')),
  ],
]

test.each(files)(
  'others wait at most a moment while %s of 20 MiB is uploaded',
  async (name, type, make) => {
    const ctx = await addPerson('member')
    const content = make()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const uploaded = await uploadFile(ctx, {
      name: 'large',
      pieces: [new Uint8Array(content)],
      dataClass: null,
    })
    delay.disable()
    const longestMs = delay.max / 1e6
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(uploaded).toMatchObject({ type, sha256, bytes: content.length })
    const stored = await db().fileContent.findUniqueOrThrow({ where: { sha256 } })
    expect(Buffer.from(stored.content).equals(content)).toBe(true)
    if (!full) return
    console.log(`${name}: others waited ${Math.round(longestMs)} ms at most`)
    expect(longestMs).toBeLessThan(promisedMs)
  },
)
