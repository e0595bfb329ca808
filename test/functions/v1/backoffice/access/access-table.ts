// Who may do what in the back office, decided by the design (sections 1.1, 1.3 and 3.8 to 3.11) and by what is settled
// besides it. A row is a request under a circumstance, a cell what one caller gets:
//
//   200, 201 …   done; `seen` and `unseen`: done, and what the row is about is in the reply or is not
//   done         one of several, done; `-404`, `-state` …: that one refused by this code, in a reply 200
//   401, 403     authentication_required, forbidden: refused by the role, before anything is looked up
//   404          the endpoint's own code for what does not exist: the same for what exists and is hidden
//   absent       404 annotation_not_found: the case is there, an annotation of the caller's is not
//   state        409 case_state_conflict          lost       409 lease_lost
//   published    409 annotation_published         own        409 own_annotation
//   capability   403 capability_required          profile    403 physician_profile_required
//   reason       403 reason_required              off        503 live_unavailable: may, but there is no Web PubSub
//   invalid      400 validation_error
//
// The callers, of the tenant of the case unless they are abroad:
//
//   nobody       no token                         patient    the account that has sent the case
//   dr-abroad    a physician, adm-abroad an admin of another tenant
//   holder       the physician who has the case in hand or on hold, or has answered it
//   earlier      a physician who has signed an answer to it that was cancelled: may see the case, and nothing else
//   colleague    a physician of the same lanes without capabilities
//   lead         the same with every capability but `case.audit`
//   auditor      the same with `case.audit` alone
//   admin        an admin without the profile of a physician

export const callers = [
  'nobody',
  'patient',
  'dr-abroad',
  'adm-abroad',
  'holder',
  'earlier',
  'colleague',
  'lead',
  'auditor',
  'admin',
] as const;

export const accessTable = `
                                      nobody patient dr-abroad adm-abroad holder earlier colleague lead auditor admin
v1BackofficeGetCase
  in hand                             401 403 404 404   200 200 404 404 404 200
  queued in the lanes of all          401 403 404 404   200 200 200 200 200 200
  queued in another language          401 403 404 404   404 200 404 404 404 200
  answered                            401 403 404 404   200 200 404 404 200 200
  published                           401 403 404 404   200 200 404 404 200 200
  drafted by its patient              401 403 404 404   404 404 404 404 404 404
  of an account of the caller’s own   401 403 404 404   404 404 404 404 404 404
v1BackofficeChangeCaseStatus
  claim, queued                       401 403 404 profile   200 200 200 200 200 profile
  claim, in another language          401 403 404 profile   404 state 404 404 404 profile
  claim, emergency in another one     401 403 404 profile   404 state 404 200 404 profile
  claim, in the hand of the holder    401 403 404 profile   state state 404 404 404 profile
  renew_lease, in hand                401 403 404 404   200 state 404 404 404 state
  release, in hand                    401 403 404 404   200 state 404 404 404 state
  release, its lease over             401 403 404 404   lost state 404 404 404 state
  hold, in hand                       401 403 404 404   200 state 404 404 404 state
  resume, on hold                     401 403 404 404   200 200 404 404 404 200
  assign, in hand                     401 403 capability physician_not_found   capability capability capability 404 capability 200
  assign, queued                      401 403 capability physician_not_found   capability capability capability 200 capability 200
  cancel, in hand                     401 403 404 404   capability capability 404 404 404 200
  cancel, queued                      401 403 404 404   capability capability capability 200 capability 200
  reopen, published                   401 403 404 404   200 capability 404 404 capability 200
  undo, answered                      401 403 404 404   200 state 404 404 state state
v1BackofficeUpdateRecord
  language, in hand                   401 403 404 404   200 state 404 404 404 200
  language, its lease over            401 403 404 404   lost state 404 404 404 200
  language, queued                    401 403 404 404   state state state state state 200
  more urgent, in hand                401 403 404 404   200 state 404 404 404 200
  less urgent, in hand                401 403 404 404   capability state 404 404 404 200
v1BackofficeTriggerEligibility
  queued                              401 403 404 404   200 200 200 200 200 200
  in hand                             401 403 404 404   state state 404 404 404 state
v1BackofficeChangePendingStatuses
  another status, on hold             401 403 -404 -404   done -state -404 -404 -404 done
  end of the hold                     401 403 -404 -404   done done -404 -404 -404 done
v1BackofficeCheckBatch
  in hand                             401 403 unseen unseen   seen seen unseen unseen unseen seen
  queued                              401 403 unseen unseen   seen seen seen seen seen seen
v1BackofficeGetBatch
  in hand                             401 403 404 404   200 200 404 404 404 200
  queued                              401 403 404 404   200 200 200 200 200 200
v1BackofficeSearchCases
  in hand                             401 403 unseen unseen   seen seen unseen unseen unseen seen
  queued                              401 403 unseen unseen   seen seen seen seen seen seen
  mine, in hand                       401 403 unseen unseen   seen unseen unseen unseen unseen unseen
  tenant, published                   401 403 403 unseen   403 403 403 403 403 seen
v1BackofficeTakeNextCase
  reserved for the caller             401 403 unseen profile   seen seen seen seen seen profile
  reserved for the holder             401 403 unseen profile   seen unseen unseen unseen unseen profile
  to be audited                       401 403 capability profile   capability capability capability capability seen profile
v1BackofficeNotifyPatients
  answered                            401 403 -404 -404   done done -404 -404 done done
  in hand                             401 403 -404 -404   -nothing_to_publish -nothing_to_publish -404 -404 -404 -nothing_to_publish
v1BackofficeNotifyPatient
  published                           401 403 404 404   202 202 404 404 202 202
v1BackofficeListAnnotations
  in hand                             401 403 unseen unseen   seen seen unseen unseen unseen seen
  published                           401 403 unseen unseen   seen seen unseen unseen seen seen
v1BackofficeGetAnnotations
  in hand                             401 403 404 404   200 200 404 404 404 200
  the holder’s draft                  401 403 404 404   seen unseen 404 404 404 unseen
  an audit, signed                    401 403 404 404   seen unseen 404 404 seen seen
  an audit, drafted by the auditor    401 403 404 404   unseen unseen 404 404 seen unseen
  an audit, drafted by another        401 403 404 404   unseen unseen 404 404 unseen unseen
v1BackofficeCreateAnnotation
  draft, in hand                      401 403 404 404   201 lost 404 404 404 profile
  draft, its lease over               401 403 404 404   lost lost 404 404 404 profile
  draft, queued                       401 403 404 404   lost lost lost lost lost profile
  signed, in hand                     401 403 404 404   201 lost 404 404 404 profile
  audit, published                    401 403 404 404   capability capability 404 404 201 profile
  audit, answered by the auditor      401 403 404 404   404 capability 404 404 own profile
  audit, answered                     401 403 404 404   capability capability 404 404 state profile
v1BackofficeUpdateAnnotation
  the holder’s draft                  401 403 404 404   200 absent 404 404 404 profile
  the holder’s draft, lease over      401 403 404 404   lost absent 404 404 404 profile
  amend what the holder published     401 403 404 404   200 absent 404 404 absent profile
  the auditor’s draft                 401 403 404 404   capability capability 404 404 200 profile
  another auditor’s draft             401 403 404 404   capability capability 404 404 absent profile
v1BackofficeCancelAnnotation
  the holder’s draft                  401 403 404 404   200 absent 404 404 404 absent
  answered                            401 403 404 404   200 capability 404 404 capability state
  published                           401 403 404 404   published capability 404 404 capability 200
  the auditor’s draft                 401 403 404 404   capability capability 404 404 200 profile
  another auditor’s draft             401 403 404 404   capability capability 404 404 absent profile
v1BackofficeFormatDiagnoses
  of no case                          401 403 200 200   200 200 200 200 200 200
  by a template of the holder         401 403 template_not_found template_not_found   200 template_not_found template_not_found template_not_found template_not_found template_not_found
  in hand                             401 403 404 404   200 200 404 404 404 200
v1BackofficeGetHistory
  in hand                             401 403 404 404   200 200 reason reason reason reason
  published                           401 403 404 404   200 200 reason reason reason reason
  with a reason                       401 403 404 404   200 200 200 200 200 200
  of the caller’s own account         401 403 404 404   404 404 404 404 404 404
v1BackofficeGetImage
  in hand                             401 403 404 404   200 200 404 404 404 200
v1BackofficeSearchImages
  in hand                             401 403 unseen unseen   seen seen unseen unseen unseen seen
v1ImagesGetImage
  in hand                             401 200 404 404   200 200 404 404 404 200
getImage
  in hand                             401 200 404 404   200 200 404 404 404 200
v1BackofficeListDiseases
  own catalogue                       401 403 200 200   200 200 200 200 200 200
v1BackofficeListTemplates
  of the holder                       401 403 unseen unseen   seen unseen unseen unseen unseen unseen
  of the clinic                       401 403 unseen unseen   seen seen seen seen seen seen
v1BackofficeListDiseaseTemplates
  of the holder                       401 403 unseen unseen   seen unseen unseen unseen unseen unseen
  of the clinic                       401 403 unseen unseen   seen seen seen seen seen seen
v1BackofficeListPhysicianTemplates
  of the holder                       401 403 403 404   seen 403 403 403 403 seen
  me                                  401 403 200 404   200 200 200 200 200 404
v1BackofficeCreateTemplate
  own                                 401 403 201 profile   201 201 201 201 201 profile
  of the clinic                       401 403 capability 201   capability capability capability 201 capability 201
v1BackofficeUpdateTemplate
  of the holder                       401 403 404 404   200 404 404 404 404 404
  of the clinic                       401 403 404 404   capability capability capability 200 capability 200
  own, given to the clinic            401 403 404 404   capability 404 404 404 404 404
v1BackofficeDeleteTemplate
  of the holder                       401 403 404 404   204 404 404 404 404 404
  of the clinic                       401 403 404 404   capability capability capability 204 capability 204
v1BackofficeListPhysicians
  the holder                          401 403 unseen unseen   seen seen seen seen seen seen
  the holder’s address                401 403 unseen unseen   seen unseen unseen unseen unseen seen
v1BackofficeUpdatePhysicianSettings
  own                                 401 403 200 profile   200 200 200 200 200 profile
  of the holder                       401 403 403 404   200 403 403 403 403 200
  what admins decide, own             401 403 403 profile   403 403 403 403 403 profile
  what admins decide, of the holder   401 403 403 404   403 403 403 403 403 200
v1BackofficeChangeActivity
  own                                 401 403 200 profile   200 200 200 200 200 profile
  of the holder                       401 403 403 404   200 403 403 403 403 200
v1BackofficeSetLanguage
  own                                 401 403 200 200   200 200 200 200 200 200
v1BackofficeGetAnalytics
  counts                              401 403 capability 200   capability capability capability 200 capability 200
v1BackofficeSubscribeAnalytics
  counts                              401 403 capability off   capability capability capability off capability off
v1BackofficeConnectSession
  own                                 401 403 200 200   200 200 200 200 200 200
v1BackofficeCreatePhysician
  new                                 401 403 403 201   403 403 403 403 403 201
v1BackofficeListGroups
  a group                             401 403 403 unseen   403 403 403 403 403 seen
v1BackofficeCreateGroup
  new                                 401 403 403 201   403 403 403 403 403 201
v1BackofficeGetGroup
  a group                             401 403 403 404   403 403 403 403 403 200
v1BackofficeUpdateGroup
  a group                             401 403 403 404   403 403 403 403 403 200
v1BackofficeChangeGroupMembers
  a group                             401 403 403 404   403 403 403 403 403 done
  a member of the tenant              401 403 403 -user_not_found   403 403 403 403 403 done
v1BackofficeDeleteGroup
  a group                             401 403 403 404   403 403 403 403 403 204
v1BackofficeListInvitations
  an invitation                       401 403 403 unseen   403 403 403 403 403 seen
v1BackofficeResendInvitation
  an invitation                       401 403 403 404   403 403 403 403 403 201
v1BackofficeRevokeInvitation
  an invitation                       401 403 403 404   403 403 403 403 403 204
v1BackofficeListParameters
  own values                          401 403 403 unseen   403 403 403 403 403 seen
v1BackofficeGetParameters
  own values                          401 403 403 404   403 403 403 403 403 200
v1BackofficeReplaceParameters
  own values                          401 403 403 200   403 403 403 403 403 200
v1BackofficeUpdatePatient
  a patient                           401 403 403 404   403 403 403 403 403 200
v1BackofficeSearchUsers
  an account                          401 403 403 unseen   403 403 403 403 403 seen
v1BackofficeGetUser
  an account                          401 403 403 404   403 403 403 403 403 200
v1BackofficeChangeUser
  an account                          401 403 403 404   403 403 403 403 403 200
v1BackofficeEndUserSessions
  an account                          401 403 403 404   403 403 403 403 403 200
v1BackofficeGetAuditTrail
  an event                            401 403 403 unseen   403 403 403 403 403 seen
v1BackofficeExportAuditTrail
  an event                            401 403 403 unseen   403 403 403 403 403 seen
`;
