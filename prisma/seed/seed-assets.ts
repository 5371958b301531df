import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { db } from '@/lib/db'

const files = [
  { path: 'README.md', title: 'What Toolgate is and how to start it' },
  { path: 'LICENSE', title: 'The licence of Toolgate' },
  { path: 'public/icon.svg', title: 'The icon of Toolgate' },
]

const mediaTypes: Record<string, string> = { '.md': 'text/markdown', '.svg': 'image/svg+xml' }

/** Registers a few of the installation's own files, with their true size and SHA-256, so that there is something to read. */
export async function seedAssets(folder: string): Promise<void> {
  const name = 'Installation'
  const storage = await db().storage.upsert({ where: { name }, create: { name }, update: {} })
  for (const { path, title } of files) {
    const file = await readFileFacts(join(folder, path))
    if (!file) continue
    await db().asset.createMany({
      data: [{ storageId: storage.id, path, title, mediaType: mediaTypeOf(path), ...file }],
      skipDuplicates: true,
    })
  }
}

async function readFileFacts(
  path: string,
): Promise<{ bytes: number; checksum: string; modifiedAt: Date } | null> {
  try {
    const [content, { mtime }] = await Promise.all([readFile(path), stat(path)])
    const digest = createHash('sha256').update(content).digest('hex')
    return { bytes: content.byteLength, checksum: `sha256:${digest}`, modifiedAt: mtime }
  } catch {
    return null
  }
}

const mediaTypeOf = (path: string): string => mediaTypes[extname(path)] ?? 'text/plain'
