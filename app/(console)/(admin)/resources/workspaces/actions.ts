'use server'
import { workspaceVerbs } from '@toolgate/server/domains/workspaces/verbs'
import { findFileWrite, readFileWrite, undoFileWrite } from '@toolgate/server/joined-verbs'
import { action } from '@/lib/next/action'

export const addWorkspace = action(workspaceVerbs.create)
export const changeWorkspace = action(workspaceVerbs.update)
export const removeWorkspace = action(workspaceVerbs.remove)
export const readWrite = action(readFileWrite)
export const findWrite = action(findFileWrite)
export const undoWrite = action(undoFileWrite)
