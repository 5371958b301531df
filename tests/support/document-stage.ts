import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from './fixture-db'
import { skillText } from './skills'
import { toolgate } from './toolgate-process'

/**
 * Means of an example: the site's admin, a folder of its own, a model server, and the values of names such as `$KEY`.
 */
export type Stage = {
  admin: Ctx
  folder: string
  skillsFolder: string
  modelUrl: string
  variables: Map<string, string>
  /** Ends, after the last block, the resources that `given` opened. */
  closing: (() => Promise<void>)[]
}

export async function addMini(admin: Ctx): Promise<void> {
  const { id } = await db().model.findFirstOrThrow()
  await createConfiguration(admin, { identifier: 'mini', name: 'Mini', modelId: id })
}

export async function addSkill(stage: Stage, name: string): Promise<void> {
  const file = path.join(stage.folder, `${name}.md`)
  await writeFile(file, skillText(name))
  await expectApplied('skill', 'add', file)
}

export async function fileOf({ folder }: Stage, name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  return file
}

export async function expectApplied(...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await toolgate(args)
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
}
