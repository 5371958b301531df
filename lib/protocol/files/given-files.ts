import type { z } from 'zod'
import { DataClass } from '@/lib/protocol/tool'

/** A file that a person gives may be no less sensitive than what a prompt is. */
export const FileDataClass = DataClass.exclude(['public'])
export type FileDataClass = z.infer<typeof FileDataClass>

const mebibyte = 1024 * 1024
export const maxFileBytes = 20 * mebibyte
export const maxRunFileBytes = 50 * mebibyte
export const maxRunFiles = 20
