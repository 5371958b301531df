import { AppError } from '@/lib/kernel/errors'

/** An error that the person who starts Toolgate can correct; `message` is one sentence for them. */
export class InstallationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InstallationError'
  }
}

/** Returns one sentence for a failure that a person can correct; null for one that only its stack explains. */
export function explainFailure(error: unknown): string | null {
  if (isDiskFull(error)) return 'The disk is full: free at least 2 GB and start again.'
  if (error instanceof InstallationError || error instanceof AppError) return error.message
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  const path = 'path' in error ? String(error.path) : 'a file'
  if (['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(code)) {
    return `Toolgate cannot write ${path} (${code}): give it write access, or set TOOLGATE_DATA_DIR to another folder.`
  }
  return error.cause === undefined ? null : explainFailure(error.cause)
}

/** Checks whether an error, or what caused it, is a full disk: of ours, of PostgreSQL or of a program that we ran. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === '53100') return true
  return error.message.includes('No space left on device') || isDiskFull(error.cause)
}
