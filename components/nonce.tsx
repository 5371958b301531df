'use client'
import { createContext, type ReactNode, useContext, useState } from 'react'

const NonceContext = createContext<string | undefined>(undefined)

/** Returns the nonce of the document that the browser loaded, for the few radix parts that write a `<style>`. */
export function useNonce(): string | undefined {
  return useContext(NonceContext)
}

/**
 * Provides the first nonce to the page; rendered by the root layout only. A client-side navigation brings a new nonce,
 * which the policy of the open document does not accept.
 */
export function NonceProvider({ nonce, children }: { nonce?: string; children: ReactNode }) {
  const [first] = useState(() => firstNonce(nonce))
  return <NonceContext value={first}>{children}</NonceContext>
}

function firstNonce(nonce: string | undefined): string | undefined {
  if (typeof document === 'undefined') return nonce
  const live = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || nonce
  // The part of radix that stops the page behind a dialog from scrolling takes its nonce from here.
  if (live) Object.assign(globalThis, { __webpack_nonce__: live })
  return live
}
