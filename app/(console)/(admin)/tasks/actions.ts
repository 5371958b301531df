'use server'
import {
  cloneTask,
  createTask,
  deleteTask,
  restoreTaskVersion,
  setTaskEnabled,
  updateTask,
} from '@/lib/domains/tasks/verbs'
import { action } from '@/lib/kernel/action'

const refresh = '/tasks'

export const addTask = action(createTask, { refresh })
export const saveTask = action(updateTask, { refresh })
export const copyTask = action(cloneTask, { refresh })
export const switchTask = action(setTaskEnabled, { refresh })
export const restoreVersion = action(restoreTaskVersion, { refresh })
export const removeTask = action(deleteTask, { refresh })
