'use client'
import { createContext, useContext } from 'react'
import type { ActionResult } from '@/lib/action'

export type Confirmed = <T>(send: () => Promise<ActionResult<T>>) => Promise<ActionResult<T>>

export const ConfirmContext = createContext<Confirmed>((send) => send())

/**
 * Gives a function that sends an action and, when it wants a newer proof of who somebody is, asks for it in a dialog
 * and sends the action again. Without the proof the refusal is the answer.
 */
export function useConfirmed(): Confirmed {
  return useContext(ConfirmContext)
}
