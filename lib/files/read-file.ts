import 'server-only'
import type { Ctx } from '../context'
import { db } from '../db'
import { NotFoundError } from '../errors'
import { parseId } from '../parse-id'
import { FileType } from '../protocol/run-file'
import { visibleFiles } from './read-run-files'

/** A file with its bytes, for whoever uploaded it and for admins. Throws NotFoundError. */
export async function readFile(
  ctx: Ctx,
  fileId: string,
): Promise<{ name: string; type: FileType; content: Uint8Array<ArrayBuffer> }> {
  const id = parseId(fileId, 'The file')
  const row = await db().storedFile.findFirst({
    where: { id, ...visibleFiles(ctx) },
    include: { content: true },
  })
  if (!row) throw new NotFoundError('The file')
  const { name, type, content } = row
  return { name, type: FileType.parse(type), content: content.content }
}
