'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useToast } from '@/components/ui/toast'
import type { ActionError, ActionResult } from '@/lib/next/action'

type Words<T> = Omit<Done, 'title'> & {
  /** The heading of a failure; left out = `notSaved`. */
  failed?: string
  done: string | ((value: T) => string)
  /** Asks the question of a server that wants `confirmed`; left out = the question is shown as an error. */
  ask?: (question: string) => void
}

/** The heading of a failure that needs no other words: the error below it says the cause. */
export const notSaved = 'Not saved'

/**
 * Runs the action of a button without a dialog, shows a message about the result, and refreshes the page. `act` returns the
 * answer of the action, or nothing when it failed.
 */
export function useAct() {
  const toast = useToast()
  const tellDone = useDone()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const act = async <T>(
    send: () => Promise<ActionResult<T>>,
    words: Words<T>,
  ): Promise<T | undefined> => {
    const { failed = notSaved, done, ask, ...news } = words
    setBusy(true)
    const result = await sendAction(send)
    setBusy(false)
    if (!result.ok) {
      const { message, fields } = result.error
      if (ask && fields?.confirmed !== undefined) ask(message)
      else toast({ tone: 'error', title: failed, description: message })
      return undefined
    }
    tellDone({ ...news, title: typeof done === 'string' ? done : done(result.value) })
    router.refresh()
    return result.value
  }
  return { busy, act }
}

export type Done = {
  title: string
  /** Restores the state before the change; offered in the message. */
  undo?: () => Promise<ActionResult<unknown>>
  /** Subject of the message. A newer message with the same subject replaces it with its outdated Undo. */
  about?: string
}

/** Says that something worked and offers to undo it. */
export function useDone(): (done: Done) => void {
  const toast = useToast()
  const router = useRouter()
  const undoIt = async (undo: NonNullable<Done['undo']>, about: { about?: string }) => {
    const result = await sendAction(undo)
    if (result.ok) toast({ tone: 'ok', title: 'Undone', ...about })
    else
      toast({
        tone: 'error',
        title: 'Not undone',
        description: result.error.message,
      })
    router.refresh()
  }
  return ({ title, undo, about: thing }) => {
    const about = thing === undefined ? {} : { about: thing }
    const action = undo && { label: 'Undo', onClick: () => void undoIt(undo, about) }
    toast({ tone: 'ok', title, ...about, ...(action && { action }) })
  }
}

/** Ask the person for what the server wants to have confirmed, for every action of the page. */
type Questions = {
  /** Asks the person to confirm their identity; false = they did not. */
  identity: () => Promise<boolean>
  /** Asks to type a text about a change after which nobody could do something; null = they did not. */
  nobodyLeft: (consequence: string) => Promise<string | null>
  /** Asks for the reason of a change that breaks policy cases; null = they gave none. */
  brokenCases: (refusal: string) => Promise<string | null>
}

let questions: Questions | null = null

/** Sets how every action of the page asks for a confirmation. Returns the function that ends it. */
export function confirmWith(asking: Questions): () => void {
  questions = asking
  return () => {
    if (questions === asking) questions = null
  }
}

const messages = {
  unreachable: 'The server did not answer. Try again.',
  unusable: 'The server’s answer cannot be read. Reload the page.',
  unauthenticated: 'Your session has ended. Sign in again in another tab, then try again.',
} as const

/** Codes of refusals of changes whose effects somebody has to confirm. */
const confirmed: readonly string[] = ['unconfirmed', 'breaks-policy-cases']

/**
 * Sends an action; a server that does not answer is a failure like any other. When the server requires a recent
 * confirmation of identity, or a text that confirms what nobody could do then, the person is asked for it, and the action is
 * sent again. Without it, the refusal stays.
 */
export async function sendAction<T>(
  send: () => Promise<ActionResult<T>>,
): Promise<ActionResult<T>> {
  const result = await attempt(send)
  if (result.ok || !questions) return result
  if (result.error.code === 'confirm-identity') {
    return (await questions.identity()) ? sendAction(send) : result
  }
  if (!confirmed.includes(result.error.code)) return result
  const { confirmEffects } = await import('./confirm-effects')
  return confirmEffects(result, {
    attempt: (sent) => attempt(() => sent(send)),
    asks: questions,
  })
}

async function attempt<T>(send: () => Promise<ActionResult<T>>): Promise<ActionResult<T>> {
  try {
    const result = await send()
    return result.ok ? result : { ok: false, error: reworded(result.error) }
  } catch (error) {
    return { ok: false, error: reworded(actionError(error)) }
  }
}

/** Returns why an action that threw was not run: the server did not answer, or refused it before it began. */
function actionError(error: unknown): ActionError {
  // `fetch` throws a TypeError when the server cannot be reached.
  if (error instanceof TypeError) return failure('unreachable')
  try {
    // The answer of lib/doors/requests/refused-action.ts is the error's message.
    const { code, message }: Partial<ActionError> = JSON.parse(String((error as Error).message))
    if (typeof code === 'string' && typeof message === 'string') return { code, message }
  } catch {}
  return failure('unusable')
}

function reworded(error: ActionError): ActionError {
  return error.code === 'unauthenticated' ? failure('unauthenticated') : error
}

function failure(code: keyof typeof messages): ActionError {
  return { code, message: messages[code] }
}
