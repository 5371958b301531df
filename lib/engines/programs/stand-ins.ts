import { rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Formats of a repository's objects and references: the only settings that git has to read. */
export type RepositoryFormat = { objects: 'sha1' | 'sha256'; references: 'files' | 'reftable' }

/** Files and folders of ours that stand in the place of others in the sandbox. Every user may read them. */
export type StandIns = { emptyFolder: string; settings: (format: RepositoryFormat) => string }

let folderOfProcess: Promise<string> | null = null

/** Returns the stand-ins of this process, which are made at the first call and again when somebody tidied them away. */
export async function standIns(): Promise<StandIns> {
  const before = await folderOfProcess
  if (before === null || !(await isOurs(before))) folderOfProcess = makeFolder()
  const folder = (await folderOfProcess) ?? ''
  return {
    emptyFolder: path.join(folder, 'empty'),
    settings: (format) => path.join(folder, nameOf(format)),
  }
}

const formats: RepositoryFormat[] = (['sha1', 'sha256'] as const).flatMap((objects) =>
  (['files', 'reftable'] as const).map((references) => ({ objects, references })),
)

function nameOf({ objects, references }: RepositoryFormat): string {
  return `${objects}-${references}`
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-stand-ins-'))
  await chmod(folder, 0o755)
  await mkdir(path.join(folder, 'empty'), { mode: 0o555 })
  for (const format of formats) {
    const file = path.join(folder, nameOf(format))
    await writeFile(file, settingsText(format), { mode: 0o444 })
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the settings of a format. They name only extensions that a repository needs: git refuses those that it does not know. */
function settingsText({ objects, references }: RepositoryFormat): string {
  const extensions = [
    ...(objects === 'sha1' ? [] : [`objectFormat = ${objects}`]),
    ...(references === 'files' ? [] : [`refStorage = ${references}`]),
  ]
  const core = `[core]\n\trepositoryFormatVersion = ${extensions.length === 0 ? 0 : 1}\n`
  return [core, ...extensions.map((line) => `[extensions]\n\t${line}\n`)].join('')
}

/** Returns whether the stand-ins are still there, and the folder is not one that another user made in its place. */
async function isOurs(folder: string): Promise<boolean> {
  const [top, last] = await Promise.all(
    [folder, path.join(folder, 'sha256-reftable')].map((place) => stat(place).catch(() => null)),
  )
  return top?.uid === process.getuid?.() && last?.isFile() === true
}
