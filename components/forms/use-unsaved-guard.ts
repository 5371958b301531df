'use client'
import { useEffect } from 'react'
import { guardPage, rememberHere } from './may-leave'

/** Asks before unsaved input is lost: when the tab is closed, on a link, on Back, and on `mayLeave`. */
export function useUnsavedGuard(unsaved: boolean): void {
  useEffect(() => {
    if (unsaved) return guardPage()
  }, [unsaved])
  // Outside system: the history. The router may have replaced this entry since.
  useEffect(() => {
    if (unsaved) rememberHere()
  })
}
