import { z } from 'zod'
import { DataClass } from './tool'

export const FileType = z.enum([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'text/plain',
])
export type FileType = z.infer<typeof FileType>

/** A file that a person gives may be no less sensitive than what a prompt is. */
export const FileDataClass = DataClass.exclude(['public'])
export type FileDataClass = z.infer<typeof FileDataClass>

const mebibyte = 1024 * 1024
export const maxFileBytes = 20 * mebibyte
export const maxRunFileBytes = 50 * mebibyte
export const maxRunFiles = 20

/** A file of a run as its first event keeps it; the content is stored beside it. */
export const RunFile = z.object({
  id: z.string(),
  name: z.string(),
  type: FileType,
  bytes: z.int(),
  sha256: z.string(),
  dataClass: DataClass,
  /** The most tokens that its text can have; absent for images, and for a PDF that cannot be measured. */
  mostTokens: z.int().optional(),
  /** How many pages a PDF has at most; absent where that is not known. */
  pages: z.int().optional(),
})
export type RunFile = z.infer<typeof RunFile>

export function isImage(type: FileType): boolean {
  return type.startsWith('image/')
}
