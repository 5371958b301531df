'use server'
import {
  cloneTask,
  deleteTask,
  restoreTaskVersion,
  setTaskEnabled,
} from '@/lib/domains/tasks/verbs'
import { action } from '@/lib/kernel/action'
import { addTask as addCheckedTask, editTask } from '@/lib/toolset/task-verbs'

const refresh = '/tasks'

export const addTask = action(addCheckedTask, { refresh })
export const saveTask = action(editTask, { refresh })
export const copyTask = action(cloneTask, { refresh })
export const switchTask = action(setTaskEnabled, { refresh })
export const restoreVersion = action(restoreTaskVersion, { refresh })
export const removeTask = action(deleteTask, { refresh })
