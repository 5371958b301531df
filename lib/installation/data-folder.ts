import { mkdir } from 'node:fs/promises'
import path from 'node:path'

export const INSTALLATION_ROOT = path.join(import.meta.dirname, '../..')

/** The folder that holds everything this installation keeps, made if missing (0700). Returns its absolute path. */
export async function openDataFolder(): Promise<string> {
  const folder = path.resolve(INSTALLATION_ROOT, process.env.TOOLGATE_DATA_DIR ?? '.data')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}
