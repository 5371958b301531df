let ownFolder: string | undefined

/** Sets where the program of Toolgate is, for a command, which works in the folder of whoever typed it. */
export function setOwnProgram(folder: string): void {
  ownFolder = folder
}

/** Returns the folder of this program. */
export function ownProgram(): string {
  return ownFolder ?? programFolder(process.cwd())
}

/** Returns the folder of the program. `cwd`: where the process works, which is a part of it once it is built. */
export function programFolder(cwd: string): string {
  return cwd.replace(/\/\.next\/standalone(\/\.next)?$/, '')
}
