'use server'
import { saveCheck } from '@toolgate/server/runs/checks/save-check'
import {
  archiveConversation,
  deleteConversation,
  renameConversation,
  restoreConversation,
} from '@toolgate/server/runs/conversations/conversations'
import { forkRun } from '@toolgate/server/runs/fork/fork-run'
import { chooseRunColumns } from '@toolgate/server/runs/lists/run-columns'
import {
  createRunView,
  deleteRunView,
  restoreRunView,
  shareRunView,
  updateRunView,
} from '@toolgate/server/runs/lists/run-views'
import { markRun } from '@toolgate/server/runs/mark-run'
import { choosePanelCap } from '@toolgate/server/runs/panels/choose-panel-cap'
import { choosePanel, stopPanel } from '@toolgate/server/runs/panels/panels'
import { cancelRun, chooseCostCap } from '@toolgate/server/runs/verbs'
import { action } from '@/lib/next/action'

export const archive = action(archiveConversation)
export const rename = action(renameConversation)
export const remove = action(deleteConversation)
export const restore = action(restoreConversation)
export const stopRun = action(cancelRun)
export const fork = action(forkRun)
export const chooseColumns = action(chooseRunColumns)
export const createView = action(createRunView)
export const updateView = action(updateRunView)
export const shareView = action(shareRunView)
export const deleteView = action(deleteRunView)
export const restoreView = action(restoreRunView)
export const changeMarks = action(markRun)
export const decideCostCap = action(chooseCostCap)
export const stopAll = action(stopPanel)
export const decidePanelCap = action(choosePanelCap)
export const chooseAnswer = action(choosePanel)
export const saveAsCheck = action(saveCheck, { refresh: '/checks' })
