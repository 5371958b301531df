import 'server-only'
import type { Database, Tx } from '@/lib/kernel/db'

type Content = { sha256: string; content: Uint8Array<ArrayBuffer> }

/** Attempts to store bytes again that were removed before a file named them. */
const mostTries = 3

class ContentGone extends Error {}

/**
 * Stores bytes once, whoever has them, and then does `work`, whose transaction makes files of them with
 * `requireContent`. Bytes that no file names in the end are removed with the next sweep. They go to PostgreSQL as they
 * are: 20 MiB in the form that the rest of the product uses would hold up everybody for a fifth of a second.
 */
export async function keepingContent<T>(
  { pool }: Pick<Database, 'pool'>,
  contents: readonly Content[],
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    for (const { sha256, content } of contents) {
      const { buffer, byteOffset, byteLength } = content
      await pool.query(
        'INSERT INTO file_contents (sha256, content) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING',
        [sha256, Buffer.from(buffer, byteOffset, byteLength)],
      )
    }
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ContentGone) || tries === mostTries) throw error
    }
  }
}

/** Keeps stored bytes until the transaction ends. Throws what makes `keepingContent` store them again. */
export async function requireContent(tx: Tx, sha256: string): Promise<void> {
  const kept = await tx.$queryRaw<unknown[]>`
    SELECT sha256 FROM file_contents WHERE sha256 = ${sha256} FOR KEY SHARE`
  if (kept.length === 0) throw new ContentGone()
}

const pieceBytes = 2 * 1024 * 1024

/**
 * Returns stored bytes; null = there are none. They are read in pieces: PostgreSQL sends them as text, and to read a large one at
 * once would hold up everybody.
 */
export async function readContent(
  { pool }: Pick<Database, 'pool'>,
  sha256: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Buffer[] = []
  for (let from = 1; ; from += pieceBytes) {
    const { rows } = await pool.query<{ piece: Buffer }>(
      'SELECT substring(content FROM $2::int FOR $3::int) AS piece FROM file_contents WHERE sha256 = $1',
      [sha256, from, pieceBytes],
    )
    const piece = rows[0]?.piece
    if (!piece) return null
    pieces.push(piece)
    if (piece.length < pieceBytes) return Buffer.concat(pieces)
  }
}
