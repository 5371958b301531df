import { AppError, ValidationError } from '../../kernel/errors'
import { parseSkill } from './parse-skill'
import { type ArchiveFile, isArchive, readArchive } from './read-archive'
import type { SkillFile } from './schemas'

/**
 * The skills in what somebody uploaded or pasted: one SKILL.md, or a zip archive with one or more. Which of the two
 * is told by the bytes, never by a name. Throws ValidationError with one sentence, which names the file in an archive.
 */
export async function readSkillFiles(bytes: Buffer): Promise<SkillFile[]> {
  if (!isArchive(bytes)) return [parseSkill(bytes)]
  const files = (await readArchive(bytes)).map(parseNamed)
  const names = new Set<string>()
  for (const { name } of files) {
    if (names.has(name)) throw new ValidationError({ file: `Two files are named ${name}.` })
    names.add(name)
  }
  return files
}

function parseNamed({ path, bytes }: ArchiveFile): SkillFile {
  try {
    return parseSkill(bytes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ValidationError({ file: `${path}: ${error.message}` })
  }
}
