import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type BackupHeader,
  examineBackup,
  openBackup,
  readBackup,
  writeBackup,
} from './backup-file'

const folder = mkdtempSync(path.join(tmpdir(), 'toolgate-backup-file-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = path.join(folder, 'backup')

const header: BackupHeader = {
  product: '0.1.0',
  at: '2026-11-29T10:00:00.000Z',
  migrations: [],
  key: null,
}
const firstLine = Buffer.from('Toolgate backup 1\n')
let whole: Buffer

/** Writes a backup with one table of these pieces. */
async function write(name: string, pieces: Iterable<Buffer>, rows: number): Promise<void> {
  const handle = await open(name, 'w')
  const read = () => ({ data: Readable.from(pieces, { objectMode: false }), rows: () => rows })
  await writeBackup(handle, header, [{ table: 'notes', columns: ['id', 'text'], read }])
  await handle.close()
}

async function examine(bytes: Buffer) {
  const name = path.join(folder, 'examined')
  await writeFile(name, bytes)
  return examineFile(name)
}

async function examineFile(name: string) {
  const handle = await openBackup(name)
  try {
    return await examineBackup(handle)
  } finally {
    await handle.close()
  }
}

type Frame = [letter: string, body: object | Buffer, length?: number]

/** Returns a backup of these frames with a fitting checksum, as somebody makes who knows the format. */
function made(frames: Frame[]): Buffer {
  const parts = frames.map(([letter, content, length]) => {
    const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    const head = Buffer.alloc(5)
    head.write(letter, 'latin1')
    head.writeUInt32BE(length ?? body.length, 1)
    return Buffer.concat([head, body])
  })
  return signed(Buffer.concat([firstLine, gzipSync(Buffer.concat(parts))]))
}

const signed = (bytes: Buffer) =>
  Buffer.concat([bytes, createHash('sha256').update(bytes).digest()])

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const table = { table: 'notes', columns: ['id'] }

beforeAll(async () => {
  const rows = Array.from({ length: 2_000 }, (_, row) => Buffer.from(`${row}\ttext ${row * row}\n`))
  await write(file, rows, rows.length)
  whole = await readFile(file)
})

test('a backup says what is in it', async () => {
  expect(await examineFile(file)).toEqual({
    header,
    tables: [{ table: 'notes', columns: ['id', 'text'], rows: 2_000 }],
    bytes: whole.length,
  })
})

describe('what is not whole is refused', () => {
  test('at whatever byte it was cut', async () => {
    for (let length = 0; length < whole.length; length += 97)
      await expect(examine(whole.subarray(0, length)), `cut at ${length}`).rejects.toThrow(
        /^This (is not a backup|backup is damaged)/,
      )
    await expect(examine(whole.subarray(0, -1))).rejects.toThrow('cut or changed')
  })

  test('whichever bit was turned over', async () => {
    for (let at = 0; at < whole.length; at += 61) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      await expect(examine(changed), `changed at ${at}`).rejects.toThrow(
        /^This (is not a backup|backup is damaged|backup has format)/,
      )
    }
  })

  test('with something behind its end', async () => {
    await expect(examine(Buffer.concat([whole, Buffer.from('\n')]))).rejects.toThrow('damaged')
  })
})

test('a newer format is refused by its number', async () => {
  const newer = Buffer.concat([Buffer.from('Toolgate backup 2\n'), whole.subarray(18)])
  await expect(examine(newer)).rejects.toThrow(
    'This backup has format 2, and this version of Toolgate reads format 1. Update Toolgate.',
  )
})

test.each(['', 'PGDMP', 'Toolgate backup 1'])('%j is not a backup', async (text) => {
  await expect(examine(Buffer.from(text))).rejects.toThrow('This is not a backup of Toolgate.')
})

test('a folder and a missing file are not backups', async () => {
  await expect(openBackup(folder)).rejects.toThrow('This is not a file.')
  await expect(openBackup(path.join(folder, 'none'))).rejects.toThrow('cannot be opened')
})

test('a pipe is refused at once, also while nobody writes into it', async () => {
  const pipe = path.join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Ends the waiting of a reader that waits.
  onTestFinished(async () => (await open(pipe, 'r+')).close())
  await expect(openBackup(pipe)).rejects.toThrow('This is not a file.')
})

const end = { tables: 1, rows: 0 }
const empty = { rows: 0, sha256: sha256('') }

describe('what somebody made is refused where it', () => {
  test.each<[string, Frame[], string]>([
    ['says a length that nothing has', [['H', Buffer.alloc(3), 0xffffffff]], 'longer than any'],
    [
      'ends within a part',
      [
        ['H', header],
        ['T', table, 5_000],
      ],
      'ends within a part',
    ],
    ['has no header', [['T', table]], 'not in their order'],
    [
      'has two headers',
      [
        ['H', header],
        ['H', header],
      ],
      'not in their order',
    ],
    [
      'has rows of no table',
      [
        ['H', header],
        ['D', Buffer.from('1\n')],
      ],
      'not in their order',
    ],
    [
      'has an unknown part',
      [
        ['H', header],
        ['X', {}],
      ],
      'not in their order',
    ],
    [
      'goes on after its end',
      [
        ['H', header],
        ['Z', { tables: 0, rows: 0 }],
        ['T', table],
      ],
      'not in their order',
    ],
    [
      'has no end',
      [
        ['H', header],
        ['T', table],
        ['E', empty],
      ],
      'its end is missing',
    ],
    [
      'has fewer tables than it says',
      [
        ['H', header],
        ['Z', end],
      ],
      'tables or rows are missing',
    ],
    [
      'has other rows than were hashed',
      [
        ['H', header],
        ['T', table],
        ['D', Buffer.from('1\n')],
        ['E', empty],
      ],
      'the checksum of a table',
    ],
    [
      'names a table in SQL',
      [
        ['H', header],
        ['T', { ...table, table: 'notes"; DROP TABLE users' }],
      ],
      'makes no sense',
    ],
    [
      'names a path',
      [
        ['H', header],
        ['T', { ...table, table: '../../etc/passwd' }],
      ],
      'makes no sense',
    ],
    [
      'names a column in SQL',
      [
        ['H', header],
        ['T', { ...table, columns: ["id) FROM PROGRAM 'id' --"] }],
      ],
      'makes no sense',
    ],
    ['has no JSON', [['H', Buffer.from('{')]], 'makes no sense'],
    ['has a field that no header has', [['H', { ...header, run: 'rm' }]], 'makes no sense'],
    [
      'has another salt than a key has',
      [['H', { ...header, key: { salt: '', iv: '', ciphertext: '', tag: '' } }]],
      'makes no sense',
    ],
    [
      'has a version that steers a terminal',
      [['H', { ...header, product: '\x1b]0;owned\x07' }]],
      'makes no sense',
    ],
    [
      'has more tables than memory should hold',
      [
        ['H', header],
        ...Array<Frame[]>(1_001)
          .fill([
            ['T', table],
            ['E', empty],
          ])
          .flat(),
      ],
      'more than 1000 tables',
    ],
  ])('%s', async (_what, frames, words) => {
    await expect(examine(made(frames))).rejects.toThrow(words)
  })

  test('is no gzip', async () => {
    await expect(examine(signed(Buffer.concat([firstLine, Buffer.alloc(99)])))).rejects.toThrow(
      'cannot be unpacked',
    )
  })
})

test('rows of any length are read in parts of at most 1 MiB', async () => {
  const large = path.join(folder, 'large')
  await write(large, [Buffer.alloc(5 * 1024 * 1024 + 1, 'a')], 1)
  const handle = await openBackup(large)
  const lengths: number[] = []
  for await (const part of readBackup(handle)) {
    if (part.type === 'data') lengths.push(part.bytes.length)
  }
  await handle.close()
  expect(Math.max(...lengths)).toBe(1024 * 1024)
  expect(lengths.reduce((sum, each) => sum + each, 0)).toBe(5 * 1024 * 1024 + 1)
})
