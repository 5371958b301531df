import 'server-only'
import { z } from 'zod'
import { isLimitedKey, runsWithinKey } from '@/lib/domains/rows/runs-within-key'
import { changed, verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { AppError, ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { ToolError } from '@/lib/protocol/tool'
import { toFileWrite } from './file-versions'
import { FileWriteDetail, workspaces } from './shape'
import { usableWorkspaces } from './stored'

const Write = z.object({ writeId: z.uuid() })
const Call = z.object({ runId: z.uuid(), callId: z.string().max(200) })

const reading = { role: 'member', scope: workspaces.scopes.read, transaction: false } as const

type Target = { root: string; path: string }
/** The files of workspaces, which are read and replaced within their folders only. */
type WorkspaceFiles = {
  readBeforeWrite: (target: Target) => Promise<{ text: string } | null>
  replaceFile: (
    target: Target,
    change: { expected: string | null; text: string | null; encoding: string | null },
  ) => Promise<void>
  hashOf: (text: string) => string
}

/** Returns the verbs that show and undo what tools wrote. */
export function fileWriteVerbs(files: WorkspaceFiles) {
  /** Returns a write of a tool with what its file was and is. Members see what was written for them. */
  const readFileWrite = verb({
    ...reading,
    name: 'workspace.read-write',
    summary: 'Returns what a tool wrote to a file, with the text before and the text now.',
    input: Write,
    output: FileWriteDetail,
    run: ({ ctx }, { writeId }) => detailOf(ctx, files, { id: writeId }),
  })

  /** Returns the write of a call, as `readFileWrite` does. */
  const findFileWrite = verb({
    ...reading,
    name: 'workspace.find-write',
    summary: 'Returns what a call wrote to a file, with the text before and the text now.',
    input: Call,
    output: FileWriteDetail,
    run: ({ ctx }, call) => detailOf(ctx, files, call),
  })

  /** Puts a file back as it was before a tool wrote it, if nobody changed it since. */
  const undoFileWrite = verb({
    name: 'workspace.undo-write',
    role: 'member',
    scope: workspaces.scopes.write,
    summary:
      'Puts a file back as it was before a tool wrote it. 409 when it was changed since, or was put back already.',
    reason: 'optional',
    input: Write,
    transaction: 'later',
    run: async ({ ctx, actor, change }, { writeId }) => {
      // The change runs again after a deadlock, and must not take its own work for that of somebody else.
      let isPutBack = false
      await change(async (tx) => {
        const write = await requireWrite(tx, ctx, { id: writeId })
        const { workspace, path, beforeHash, afterHash, userLabel } = write
        const undone = { undoneAt: new Date(), undoneByLabel: actor.email }
        const free = { id: write.id, undoneAt: null }
        const { count } = await tx.fileVersion.updateMany({ where: free, data: undone })
        const refusal = count === 0 ? alreadyUndone : refusalOf(write)
        if (refusal !== null) throw new ConflictError(refusal)
        // The file is last, so that what is stored says so when it fails.
        if (!isPutBack) await withConflicts(() => putBack(files, write))
        isPutBack = true
        return changed(undefined, {
          subject: workspace.id,
          before: { sha256: afterHash },
          after: { name: workspace.name, path, writtenBy: userLabel, sha256: beforeHash },
        })
      })
    },
  })
  return { readFileWrite, findFileWrite, undoFileWrite }
}

type StoredWrite = Awaited<ReturnType<typeof requireWrite>>

/** Replaces a file by what it was before a write. Throws ConflictError where it is not as the write left it. */
async function putBack(files: WorkspaceFiles, write: StoredWrite): Promise<void> {
  const { workspace, path, before, encoding } = write
  const target = { root: workspace.realFolder, path }
  const now = await files.readBeforeWrite(target)
  const other = otherFile(write, now && files.hashOf(now.text))
  if (other !== null) throw new ConflictError(other)
  await files.replaceFile(target, { expected: now?.text ?? null, text: before, encoding })
}

const alreadyUndone = 'This write was undone already.'
const changedSince =
  'The file was changed after this write, so it is not put back. Look at it on the server.'
const asBefore = 'The file is as it was before this write, so there is nothing to put back.'

/** Returns why a file cannot be put back that is not what a write left; null = it is. */
function otherFile({ beforeHash, afterHash }: StoredWrite, hash: string | null): string | null {
  if (hash === afterHash) return null
  return hash === beforeHash ? asBefore : changedSince
}

async function detailOf(ctx: Ctx, files: WorkspaceFiles, where: Where): Promise<FileWriteDetail> {
  const write = await requireWrite(db(), ctx, where)
  const { workspace, path, before } = write
  const { id, name, realFolder: root } = workspace
  const facts = { ...toFileWrite(write), workspace: { id, name }, before }
  try {
    const now = await withConflicts(() => files.readBeforeWrite({ root, path }))
    return {
      ...facts,
      now: now?.text ?? null,
      refusal: refusalOf(write) ?? otherFile(write, now && files.hashOf(now.text)),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...facts, now: null, refusal: refusalOf(write) ?? error.message }
  }
}

type Where = { id: string } | { runId: string; callId: string }

/** Finds a write that the caller may see: admins all, others what was written for them where they may use the workspace. */
async function requireWrite(tx: Tx, ctx: Ctx, where: Where) {
  const { actor } = ctx
  const write = await tx.fileVersion.findFirst({ where, include: { workspace: true } })
  if (!write) throw new NotFoundError('This write')
  if (isLimitedKey(ctx)) {
    const within = { AND: [{ id: write.runId }, runsWithinKey(ctx)] }
    if ((await tx.run.count({ where: within })) === 0) throw new NotFoundError('This write')
  }
  if (actor.role === 'admin') return write
  const usable = write.userId === actor.userId ? await usableWorkspaces(tx, actor) : []
  if (!usable.some(({ id }) => id === write.workspaceId)) throw new NotFoundError('This write')
  return write
}

function refusalOf({ undoneAt, workspace }: StoredWrite) {
  if (undoneAt !== null) return alreadyUndone
  return workspace.writable ? null : `The files of ${workspace.name} can only be read now.`
}

/** Runs work on files. What a tool would be told is a conflict for people. */
async function withConflicts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ToolError ? new ConflictError(error.message) : error
  }
}
