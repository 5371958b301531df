'use server'
import { programVerbs } from '@toolgate/server/domains/programs/verbs'
import { action } from '@/lib/next/action'

export const addProgram = action(programVerbs.create)
export const changeProgram = action(programVerbs.update)
export const removeProgram = action(programVerbs.remove)
