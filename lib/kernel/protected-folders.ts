import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { env } from './env'
import { ownProgram } from './own-program'

/** Folders of the system: neither they nor what is in them or around them is opened to tools. */
const systemFolders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/proc',
  '/run',
  '/sbin',
  '/snap',
  '/sys',
  '/usr',
  '/var/cache',
  '/var/lib',
  '/var/log',
  '/var/run',
  '/var/spool',
]
/** Folders that hold those of people, programs and disks: what is in them may be opened, they may not. */
const gatheringFolders = ['/home', '/media', '/mnt', '/opt', '/root', '/srv', '/tmp', '/var/tmp']

/** Folders in which programs keep keys, passwords and what starts with a session, by the names of their parts. */
const credentialNames =
  /^\.(?:aws|azure|bashrc.*|config|docker|git-credentials|gnupg|kube|mozilla|netrc|password-store|pki|ssh|terraform\.d|vault-token)$/i

/**
 * Returns why a folder must not be opened to tools or programs, as a sentence; null = it may be. `real`: its path with every
 * link resolved, which is judged by each of its parts. `use`: tools read and write a workspace, and a program only reads
 * further folders, of which those of its own installation may have a dot in front.
 */
export async function protectionOf(
  real: string,
  use: 'workspace' | 'program',
): Promise<string | null> {
  if (systemFolders.some((each) => overlap(real, each))) {
    return `${real} is a folder of the system. Pick one that holds only files for tools.`
  }
  if (gatheringFolders.includes(real) || isHome(real)) {
    return `${real} holds the folders of people or programs. Pick a folder in it that holds only files for tools.`
  }
  const hidden = real
    .split('/')
    .find((part) => (use === 'workspace' ? part.startsWith('.') : credentialNames.test(part)))
  if (hidden !== undefined) {
    return `${hidden} in its path is hidden, as programs hide settings and keys. Pick another folder.`
  }
  const folders = [...ownFolders(), ...(use === 'workspace' ? searchedFolders() : [])]
  for (const [folder, sentence] of folders) {
    const own = await realpath(folder).catch(() => null)
    if (own !== null && overlap(real, own)) return sentence
  }
  return null
}

function isHome(real: string): boolean {
  return path.dirname(real) === '/home' || real === path.resolve(homedir())
}

/** Returns the folders of this installation, each with what is said of it. */
function ownFolders(): [string, string][] {
  const { TOOLGATE_DATA_DIR, TOOLGATE_EXTRA_TOOLS_DIR, TOOLGATE_SKILLS_DIR } = env()
  const data = 'It has the data of Toolgate in it, or is in its data folder. Pick another one.'
  const program = 'It has the program of Toolgate in it, or is part of it. Pick another one.'
  const tools = 'It is the folder of extra tools, whose files the server runs. Pick another one.'
  const skills = 'It is the folder of skills, which instruct models. Pick another one.'
  const folders: [string, string][] = [
    [path.resolve(TOOLGATE_DATA_DIR), data],
    // It may be a link to another disk.
    [path.resolve(TOOLGATE_DATA_DIR, 'backups'), data],
    [ownProgram(), program],
  ]
  if (TOOLGATE_EXTRA_TOOLS_DIR) folders.push([TOOLGATE_EXTRA_TOOLS_DIR, tools])
  if (TOOLGATE_SKILLS_DIR) folders.push([TOOLGATE_SKILLS_DIR, skills])
  return folders
}

/** Returns the folders in which the server looks for programs by their names: what is written there may be run by it. */
function searchedFolders(): [string, string][] {
  const sentence = 'The server looks for programs in it (PATH). Pick another folder.'
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))
  return folders.map((folder) => [folder, sentence])
}

/**
 * Returns the first word of a command that leads into one of these folders, also as the value of an option; null = none does.
 * Tools that may write in such a folder could change what the command runs. `cwd`: where it works; absent = where this process
 * does.
 */
export async function wordInside(
  command: readonly string[],
  folders: readonly string[],
  cwd?: string | null,
): Promise<string | null> {
  for (const word of command) {
    const way = word.slice(word.startsWith('-') ? word.indexOf('=') + 1 : 0)
    const place = path.resolve(cwd ?? '', way)
    // In a folder of its own, a plain name may be that of a link.
    const real = word.includes('/') || cwd ? await realpath(place).catch(() => place) : null
    if (real !== null && folders.some((folder) => isIn(real, folder))) return word
  }
  return null
}

/** Returns whether one of two folders is the other one or in it. */
function overlap(a: string, b: string): boolean {
  return isIn(a, b) || isIn(b, a)
}

/** Returns whether a path is that of a folder or leads into it. Both have every link resolved. */
export function isIn(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner)
  return way === '' || !(way === '..' || way.startsWith('../'))
}
