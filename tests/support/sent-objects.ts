import { vi } from 'vitest'
import type * as actions from '@/app/(console)/(admin)/resource-actions'

// Test files of components share a process, and forms bind their actions when they are loaded: all files have these.

/** Stand in for the actions on objects of any noun, and record what forms send. */
export const createObject = vi.fn<typeof actions.createObject>()
export const updateObject = vi.fn<typeof actions.updateObject>()
export const removeObject = vi.fn<typeof actions.removeObject>()
