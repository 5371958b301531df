'use client'
import { createContext, useContext } from 'react'
import type { ActionResult } from '@/lib/next/action'

type Request = (input: { origin: string }) => Promise<ActionResult<{ isListed: boolean }>>

const HostRequestContext = createContext<Request | null>(null)

/** Gives every trace below it the action that asks an admin for a host. */
export const HostRequestProvider = HostRequestContext.Provider

export function useHostRequest(): Request | null {
  return useContext(HostRequestContext)
}
