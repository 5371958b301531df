'use server'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { type ListedNoun, nouns } from '@toolgate/server/nouns'
import { z } from 'zod'
import { customAction } from '@/lib/next/action'

// The pages of tasks ask before one is left without tools, so they have actions of their own.
const { tasks: _tasks, ...others } = nouns
const listed = new Map<string, ListedNoun>(
  Object.values(others).map((each) => [each.resource.noun, each]),
)

// The browser names the noun. The verb checks the role once more, and the input.
const Call = z.object({ noun: z.string().max(100), input: z.unknown() })

function actionOf(name: 'create' | 'update' | 'remove') {
  return customAction(Call, 'admin', async (ctx, { noun, input }): Promise<unknown> => {
    const found = listed.get(noun)
    if (!found) throw new NotFoundError('This kind of object')
    const verbs = await found.verbs()
    return verbs[name](ctx, input as never)
  })
}

const [create, update, remove] = [actionOf('create'), actionOf('update'), actionOf('remove')]

export async function createObject(noun: string, input: unknown) {
  return create({ noun, input })
}

export async function updateObject(noun: string, input: unknown) {
  return update({ noun, input })
}

export async function removeObject(noun: string, input: unknown) {
  return remove({ noun, input })
}
