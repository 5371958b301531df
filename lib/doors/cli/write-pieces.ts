import { once } from 'node:events'

/** Writes as fast as whoever reads standard output takes it. */
export async function writePieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
  }
}
