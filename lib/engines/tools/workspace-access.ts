import { z } from 'zod'
import { REDACTED } from '@/lib/kernel/redaction/redact-text'
import { ToolError } from '@/lib/protocol/tool'
import type { ToolContext } from './define-tool'
import { encodeText, type FileText } from './sandbox/text-file'
import { partsOf, plainPath } from './sandbox/workspace-path'
import { replaceFile } from './sandbox/write-file'
import type { ToolResources, UsableWorkspace } from './tool-resources'

/** Returns the workspace of this name. Throws ToolError that names those that may be used. */
export async function requireWorkspace(
  { workspaces }: ToolResources,
  name: string,
): Promise<UsableWorkspace> {
  const usable = await workspaces.list()
  const found = usable.find((each) => each.name === name)
  if (found) return found
  throw new ToolError('not-found', `Workspace not found or not permitted. ${namesOf(usable)}`)
}

/** Returns the workspace of this name where files may be written. */
export async function requireWritable(
  resources: ToolResources,
  name: string,
): Promise<UsableWorkspace> {
  const found = await requireWorkspace(resources, name)
  if (found.isWritable) return found
  const writable = (await resources.workspaces.list()).filter(({ isWritable }) => isWritable)
  throw new ToolError('read-only', `Files of this workspace can only be read. ${namesOf(writable)}`)
}

const mostNames = 30

function namesOf(usable: readonly UsableWorkspace[]): string {
  if (usable.length === 0) return 'There is none that you may use for this.'
  const names = usable.slice(0, mostNames).map(({ name }) => name)
  const more = usable.length > names.length ? ' and others' : ''
  return `You may use: ${names.join(', ')}${more}.`
}

/** Returns the schema of a parameter that is a path below a workspace. Rules see it in its one spelling. */
export function pathSchema(description: string) {
  return z.string().overwrite(plainPath).describe(description)
}

/** Returns the schema of the parameter that names a workspace. */
export function workspaceSchema() {
  const words = 'The name of a workspace. A wrong one is answered with those you may use.'
  return z.string().max(100).describe(words)
}

/** `old` null = there is no such file. */
type Write = { workspace: UsableWorkspace; path: string; old: FileText | null; after: string }

/**
 * Writes a file in its encoding, and keeps what it was before, so that a person can put it back. Without that, nothing is
 * written. Returns what was written.
 */
export async function writeKept(
  { resources, runId, callId, signal }: ToolContext,
  { workspace, path, old, after }: Write,
): Promise<{ bytes: number; encoding: string }> {
  const before = old?.text ?? null
  const encoding = old?.encoding ?? 'utf-8'
  const { length: bytes } = encodeText(after, encoding)
  refuseMarks(before ?? '', after)
  let kept: { forget: () => Promise<void> } | undefined
  const write = {
    workspaceId: workspace.id,
    path: partsOf(path).join('/'),
    before,
    after,
    encoding,
    runId,
    callId,
  }
  try {
    await replaceFile(
      { root: workspace.root, path },
      { expected: before, text: after, encoding },
      async () => {
        signal.throwIfAborted()
        kept = await resources.workspaces.keepVersion(write)
      },
    )
  } catch (error) {
    // A write that did not happen leaves nothing to undo: the file has changed meanwhile.
    await kept?.forget().catch(() => undefined)
    throw error
  }
  return { bytes, encoding }
}

/** Refuses to write over a secret what a reader was shown in its place. */
function refuseMarks(before: string, after: string): void {
  if (marksIn(after) <= marksIn(before)) return
  throw new ToolError(
    'redacted',
    `Nothing was written: the new text has "${REDACTED}", which stands for a secret that was not shown. Use edit_file for the lines around it.`,
  )
}

function marksIn(text: string): number {
  return text.split(REDACTED).length - 1
}
