'use client'
import { createContext, useContext } from 'react'
import type { ActionResult } from '@/lib/kernel/action'

export type Confirmed = <T>(send: () => Promise<ActionResult<T>>) => Promise<ActionResult<T>>

export const ConfirmContext = createContext<Confirmed>((send) => send())

/**
 * Returns a function that sends an action. When the server requires a recent confirmation of identity, it asks for one
 * in a dialog and sends the action again. Without the confirmation it returns the refusal.
 */
export function useConfirmed(): Confirmed {
  return useContext(ConfirmContext)
}
