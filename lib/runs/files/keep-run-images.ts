import 'server-only'
import { keepingContent, requireContent } from '@/lib/domains/rows/keep-content'
import type { SavedImage } from '@/lib/engines/runtime/deps'
import { type Database, unaudited, withTransaction } from '@/lib/kernel/db'

/**
 * Keeps images that a call of a run returned: as files of the person the run works for, that go with the run. Their data
 * class is the tool's, also where another run begins with them.
 */
export async function keepRunImages(
  database: Database,
  { runId, userId }: { runId: string; userId: string },
  images: readonly SavedImage[],
): Promise<void> {
  const contents = new Map(images.map(({ file, content }) => [file.sha256, content] as const))
  const usedAt = new Date()
  // In one order, so that two runs with the same images do not wait for each other.
  const kept = [...contents].toSorted(([a], [b]) => a.localeCompare(b))
  const all = kept.map(([sha256, content]) => ({ sha256, content }))
  await keepingContent(database, all, () =>
    withTransaction(async (tx) => {
      for (const { sha256 } of all) await requireContent(tx, sha256)
      const returned = unaudited(tx, 'what a call returned, which the journal names')
      await returned.storedFile.createMany({
        data: images.map(({ file: { dataClass, ...facts } }) => ({
          ...facts,
          userId,
          usedAt,
          // A file that a run begins with is never less than this.
          dataClass: dataClass === 'public' ? 'content' : dataClass,
        })),
      })
      await returned.runFile.createMany({
        data: images.map(({ file }) => ({ runId, fileId: file.id })),
      })
    }, database.client),
  )
}
