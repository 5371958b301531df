import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { resource, switchField } from '@/lib/shape/resource'
import { adminNoteField, callNameField, groupsField } from '@/lib/shape/resource-fields'

const Folder = z
  .string()
  .trim()
  .max(1_000, 'A path has at most 1,000 characters.')
  .regex(/^\/[^\0]*$/, 'Enter an absolute path, such as /srv/handbook.')

/** A file that a tool wrote and that can be put back. `runId` and `callId`: which call wrote it. */
const FileWrite = z.object({
  id: z.string(),
  path: z.string(),
  at: z.string(),
  by: z.string(),
  runId: z.string(),
  callId: z.string(),
  /** True = there was no such file before. */
  isNew: z.boolean(),
  /** Null = it was not undone. */
  undoneAt: z.string().nullable(),
  undoneBy: z.string().nullable(),
})
export type FileWrite = z.output<typeof FileWrite>

/** A write with what the file was before and is now; null = no such file. `refusal`: why it cannot be undone; null = it can. */
export const FileWriteDetail = FileWrite.extend({
  workspace: z.object({ id: z.string(), name: z.string() }),
  before: z.string().nullable(),
  now: z.string().nullable(),
  refusal: z.string().nullable(),
})
export type FileWriteDetail = z.output<typeof FileWriteDetail>

/** A workspace: a folder on the host of Toolgate that tools may read and, if writable, write. */
export const workspaces = resource({
  ...describedNouns.workspaces,
  about: 'folders of the server that tools may use',
  fields: {
    name: callNameField('handbook'),
    folder: {
      kind: 'text',
      label: 'Folder',
      hint: 'Files that begin with a dot, keys and credentials stay hidden.',
      mono: true,
      placeholder: '/srv/handbook',
      required: 'Enter the path of a folder on the server.',
      listed: { of: 'realFolder' },
      searched: true,
      schema: Folder,
    },
    createFolder: {
      kind: 'checkbox',
      label: 'Create the folder',
      hint: 'The folder above it must exist.',
      schema: z.boolean(),
      defaultValue: false,
      isConfirmation: true,
      option: { help: 'make the folder when it is missing; the folder above it must exist' },
    },
    writable: {
      kind: 'checkbox',
      label: 'Tools may write files',
      hint: 'Each write can be undone for 90 days.',
      listed: { card: 'tools may write' },
      schema: z.boolean(),
      defaultValue: false,
    },
    groupIds: groupsField,
    note: adminNoteField,
    enabled: switchField('No tool can use it until it is switched on again.'),
  },
  sorts: ['name', 'folder', 'state'],
  order: 'name',
  /** The folder with all links resolved. */
  listed: { realFolder: z.string() },
  /**
   * `trouble`: why tools cannot use the folder now; null = they can. `noPrograms`: why no program can be run in it; null = they
   * can. `writes`: the last 50, the newest first.
   */
  detail: {
    trouble: z.string().nullable(),
    noPrograms: z.string().nullable(),
    writes: z.array(FileWrite),
  },
  acts: { 'undo-write': 'Undid what a tool wrote' },
})
