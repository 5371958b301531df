'use server'
import { findFileWrite, readFileWrite, undoFileWrite } from '@toolgate/server/joined-verbs'
import { action } from '@/lib/next/action'

export const readWrite = action(readFileWrite)
export const findWrite = action(findFileWrite)
export const undoWrite = action(undoFileWrite)
