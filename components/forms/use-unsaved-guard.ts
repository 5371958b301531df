'use client'
import { useEffect } from 'react'
import { guardPage, rememberHere } from './may-leave'

/** Asks before what was typed is left behind: by closing the tab, by a link, by Back, and by whoever asks `mayLeave`. */
export function useUnsavedGuard(unsaved: boolean): void {
  useEffect(() => {
    if (unsaved) return guardPage()
  }, [unsaved])
  // Outside system: the history. The router may have written this entry anew since.
  useEffect(() => {
    if (unsaved) rememberHere()
  })
}
