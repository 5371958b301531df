'use server'
import { addShippedTask } from '@toolgate/server/domains/tasks/shipped'
import { taskVerbs } from '@toolgate/server/domains/tasks/verbs'
import { addTask as addCheckedTask, editTask } from '@toolgate/server/joined-verbs'
import { action } from '@/lib/next/action'

const refresh = '/tasks'

export const addTask = action(addCheckedTask, { refresh })
export const addShipped = action(addShippedTask, { refresh })
export const saveTask = action(editTask, { refresh })
export const changeTask = action(taskVerbs.update, { refresh })
export const copyTask = action(taskVerbs.clone, { refresh })
export const restoreVersion = action(taskVerbs.restore, { refresh })
export const removeTask = action(taskVerbs.remove, { refresh })
