'use client'

import { createContext, useContext } from 'react'
import type { FileWriteDetail } from '@/lib/domains/workspaces/shape'
import type { ActionResult } from '@/lib/next/action'

/** A call that wrote a file. */
export type WritingCall = { runId: string; callId: string }
export type WriteId = { writeId: string }

/** The server actions that read and undo what tools wrote to files. */
export type WriteActions = {
  readWrite: (input: WriteId) => Promise<ActionResult<FileWriteDetail>>
  findWrite: (input: WritingCall) => Promise<ActionResult<FileWriteDetail>>
  undoWrite: (input: WriteId) => Promise<ActionResult<unknown>>
}

const WriteActionsContext = createContext<WriteActions | null>(null)

export const WriteActionsProvider = WriteActionsContext.Provider

/** Returns the actions; null = this page has none. */
export function useWriteActions(): WriteActions | null {
  return useContext(WriteActionsContext)
}
