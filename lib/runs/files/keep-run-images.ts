import 'server-only'
import type { SavedImage } from '../../engines/runtime/deps'
import { type Database, type Tx, unaudited, withTransaction } from '../../kernel/db'

/**
 * Keeps images that a call of a run returned: as files of the person the run works for, that go with the run. Their data
 * class is the tool's, also where another run begins with them.
 */
export async function keepRunImages(
  { client }: Database,
  { runId, userId }: { runId: string; userId: string },
  images: readonly SavedImage[],
): Promise<void> {
  const contents = new Map(images.map(({ file, content }) => [file.sha256, content] as const))
  const usedAt = new Date()
  await withTransaction(async (tx) => {
    // In one order, so that two runs with the same images do not wait for each other.
    for (const [sha256, content] of [...contents].toSorted(([a], [b]) => a.localeCompare(b))) {
      await keepContent(tx, sha256, content)
    }
    const returned = unaudited(tx, 'what a call returned, which the journal names')
    await returned.storedFile.createMany({
      data: images.map(({ file: { dataClass, ...facts } }) => ({
        ...facts,
        ...{ userId, usedAt },
        // A file that a run begins with is never less than this.
        dataClass: dataClass === 'public' ? 'content' : dataClass,
      })),
    })
    await returned.runFile.createMany({
      data: images.map(({ file }) => ({ runId, fileId: file.id })),
    })
  }, client)
}

/** Keeps bytes once, whoever has them; those that are there already stay until the transaction ends. */
export async function keepContent(
  tx: Tx,
  sha256: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await tx.fileContent.upsert({
    where: { sha256 },
    create: { sha256, content },
    update: { sha256 },
    select: { sha256: true },
  })
}
