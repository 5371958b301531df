import 'server-only'
import { isLimitedKey, runsWithinKey } from '@/lib/domains/rows/runs-within-key'
import { dataLimit, isWithin } from '@/lib/engines/runtime/policy/gates'
import { fileRefusal, unreadable } from '@/lib/engines/runtime/policy/sent-data'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { FileDataClass, maxRunFileBytes } from '@/lib/protocol/files/given-files'
import { leastTrusted } from '@/lib/protocol/model/model-target'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { FileType, type RunFile } from '@/lib/protocol/tool'

/**
 * Returns the condition on files that the caller uploaded. Admins may use everybody's. A limited key may use files of runs within
 * its limits, and those of its owner that no run has yet.
 */
function visibleFiles(ctx: Ctx): Prisma.StoredFileWhereInput {
  const { role, userId } = ctx.actor
  const ofRole = role === 'admin' ? {} : { userId }
  if (!isLimitedKey(ctx)) return ofRole
  const unused = { userId, runs: { none: {} } }
  return { AND: [ofRole, { OR: [unused, { runs: { some: { run: runsWithinKey(ctx) } } }] }] }
}

/**
 * Returns the files of a new run in order, each with its data class. `checkId`: the check whose files it may have, too. NotFoundError for a file
 * that does not exist or belongs to another person; ValidationError when they are too large together, the first model
 * cannot read one, or no model may have all of them.
 */
export async function readRunFiles(
  tx: Tx,
  ctx: Ctx,
  input: readonly { id: string; dataClass?: FileDataClass | undefined }[],
  snapshot: Pick<RunSnapshot, 'targets' | 'raisedDataClass'>,
  checkId?: string | undefined,
): Promise<RunFile[]> {
  if (input.length === 0) return []
  const ids = input.map(({ id }) => id)
  const ofCheck = checkId === undefined ? [] : [{ checks: { some: { checkId } } }]
  const visible = { OR: [visibleFiles(ctx), ...ofCheck] }
  const rows = await tx.storedFile.findMany({ where: { AND: [{ id: { in: ids } }, visible] } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const usual = usualClass(snapshot)
  const files = input.map(({ id, dataClass }): RunFile => {
    const row = byId.get(id)
    if (!row) throw new NotFoundError('The file')
    const { name, bytes, sha256, mostTokens, pages } = row
    return {
      id,
      name,
      type: FileType.parse(row.type),
      bytes,
      sha256,
      dataClass: higherClass(dataClass, FileDataClass.nullable().parse(row.dataClass)) ?? usual,
      ...(mostTokens !== null && { mostTokens }),
      ...(pages !== null && { pages }),
    }
  })
  refuseUnfit(files, snapshot)
  return files
}

/** Returns the higher class. A run may raise the class of the upload and never lowers it. */
function higherClass(
  input: FileDataClass | undefined,
  chosen: FileDataClass | null,
): FileDataClass | null {
  if (input === undefined || chosen === null) return input ?? chosen
  return isWithin(input, chosen) ? chosen : input
}

/** Returns the highest class that every provider of the run may receive; never below `content`. */
function usualClass({
  targets,
  raisedDataClass,
}: Pick<RunSnapshot, 'targets' | 'raisedDataClass'>): RunFile['dataClass'] {
  return dataLimit(leastTrusted(targets)?.zone ?? 'external-global', raisedDataClass)
}

function refuseUnfit(
  files: readonly RunFile[],
  { targets, raisedDataClass }: Pick<RunSnapshot, 'targets' | 'raisedDataClass'>,
): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > maxRunFileBytes) {
    const most = maxRunFileBytes / 1024 / 1024
    throw new ValidationError({ files: `The files of a run may have up to ${most} MiB together.` })
  }
  const [first] = targets
  const unread = first && files.map((file) => unreadable(first, file)).find((why) => why !== null)
  if (unread) throw new ValidationError({ files: unread })
  const refusals = targets.map((target) => fileRefusal(target, files, raisedDataClass))
  const [refusal] = refusals
  if (refusal && !refusals.includes(null)) throw new ValidationError({ files: refusal })
}

/** Returns a file with its bytes, for the person who uploaded it and for admins. Throws NotFoundError. */
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
