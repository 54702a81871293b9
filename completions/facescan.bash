# facescan completion for bash, generated; do not edit.
# To install it: facescan completion bash > ~/.facescan.bash && echo '. ~/.facescan.bash' >> ~/.bashrc

__facescan_rows='word		users	-	create, show, update, and delete users
word	users	create	-	create a user
word	users	get	-	show a user
word	users	update	-	update a user
word	users	import	-	create users from a file
word	users	delete	-	delete a user and all their data
word		scan-url	-	create a link to a face scan
word		dashboard-url	-	create a one-time link to the dashboard
word		token	-	create an action token for a user
word		biomarkers	-	biomarkers of face scans
word	biomarkers	list	-	list the scans of a user
word	biomarkers	latest	-	show the latest scans
word	biomarkers	get	-	show a scan
word	biomarkers	compare	-	compare two time periods
word		metrics	-	show six health metrics
word		wellbeing	-	show wellbeing scores
word		summary	-	show feedback on a wellbeing profile
word		recommendations	-	show recommendations
word		answers	-	answers to health questions
word	answers	keys	-	list the lookup keys of all questions
word	answers	list	-	list the answers of a user
word	answers	save	-	save one answer
word	answers	import	-	import answers from a file
word		imports	-	imports started on this machine
word	imports	list	-	list imports
word	imports	show	-	show an import
word	imports	resume	-	resume a stopped import
word	imports	merge	-	add up the summaries of all shards
word	imports	remove	-	remove the record of an import
word		profiles	-	API keys and their services
word	profiles	add	-	add a profile and its key
word	profiles	list	-	list all profiles
word	profiles	show	-	show a profile
word	profiles	use	-	set the default profile
word	profiles	set	-	change the settings of a profile
word	profiles	unlock	-	allow changes in a read-only profile
word	profiles	move-key	-	move a key to another store
word	profiles	remove	-	remove a profile and its key
word		status	-	show the active profile and the source of each setting
word		doctor	-	check the installation and configuration
word		history	-	audit log of changes made from this machine
word	history	list	-	list the latest changes
word	history	verify	-	verify the integrity of the log
word		demo	-	take a tour with a temporary sandbox
word		sandbox	-	the built-in implementation of the service
word	sandbox	serve	-	serve the sandbox over HTTP
word	sandbox	scan	-	record synthetic scans for a user
word	sandbox	key	-	print an API key for the sandbox
word	sandbox	status	-	show the contents of the sandbox
word	sandbox	reset	-	reset the sandbox
word	sandbox	openapi	-	print the API as an OpenAPI document
word		api	-	call any endpoint
word		ce-label	-	get the CE label image
word		widgets	-	show data of deprecated widgets
word	widgets	biomarker	-	show data of a biomarker widget
word	widgets	metric	-	show data of a metric widget
word	widgets	graph	-	show data of a graph widget
word		schema	-	print a machine-readable description of all commands
word		completion	-	print a shell completion script
word		help	-	show help for a command or topic
flag	users create	--external-user-id	?	external user ID
flag	users create	--no-external-user-id	-	create a user without an external ID (earlier API revision only)
flag	users create	--birth-date	?	date of birth (YYYY-MM-DD)
flag	users create	--sex	M F	sex at birth
flag	users create	--language	en nl fr da sv	default language
flag	users create	--unit-system	metric imperial	preferred units
flag	users create	--if-not-exists	-	return the existing user if the ID is taken
fields	users create	--json	=+user_id customer birth_date sex language preferred_unit_system weight height hypertension
argument	users create	1	?
flag	users get	--external-user-id	?	external user ID
flag	users get	--user-id	?	user ID assigned by the service
flag	users get	--users	@files	run for each user of a file, or - for standard input
flag	users get	--keep	+?	columns of the file to copy to the output
flag	users get	--out	@files	write to a file; the same command resumes it
flag	users get	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	users get	--delimiter	?	delimiter between cells (default: detected)
flag	users get	--skip-invalid	-	skip invalid rows of the file
flag	users get	--errors	@files	file for failed users
flag	users get	--max-concurrency	?	maximum concurrent requests
flag	users get	--rate	?	maximum requests per second
flag	users get	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	users get	--shard-index	?	shard index, from 0 (with --shard-count)
flag	users get	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	users get	--json	=+user_id customer birth_date sex language preferred_unit_system weight height hypertension
argument	users get	1	?
flag	users update	--external-user-id	?	external user ID
flag	users update	--user-id	?	user ID assigned by the service
flag	users update	--birth-date	?	date of birth (YYYY-MM-DD)
flag	users update	--sex	M F	sex at birth
flag	users update	--language	en nl fr da sv	default language
flag	users update	--unit-system	metric imperial	preferred units
flag	users update	--new-external-user-id	?	new external user ID
flag	users update	--clear	+birth-date sex language unit-system	fields to clear
fields	users update	--json	=+user_id customer birth_date sex language preferred_unit_system weight height hypertension
argument	users update	1	?
flag	users import	--existing	skip update fail	action for existing users
flag	users import	--out	@files	file with the user IDs (default: users.csv beside the input)
flag	users import	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	users import	--delimiter	?	delimiter between cells (default: detected)
flag	users import	--skip-invalid	-	skip invalid rows of the file
flag	users import	--errors	@files	file for failed users
flag	users import	--max-concurrency	?	maximum concurrent requests
flag	users import	--rate	?	maximum requests per second
flag	users import	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	users import	--shard-index	?	shard index, from 0 (with --shard-count)
flag	users import	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	users import	--json	=+users done failed not_tried file errors_file
argument	users import	1	@files
flag	users delete	--external-user-id	?	external user ID
flag	users delete	--user-id	?	user ID assigned by the service
flag	users delete	--users	@files	run for each user of a file, or - for standard input
flag	users delete	--keep	+?	columns of the file to copy to the output
flag	users delete	--out	@files	write to a file; the same command resumes it
flag	users delete	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	users delete	--delimiter	?	delimiter between cells (default: detected)
flag	users delete	--skip-invalid	-	skip invalid rows of the file
flag	users delete	--errors	@files	file for failed users
flag	users delete	--max-concurrency	?	maximum concurrent requests
flag	users delete	--rate	?	maximum requests per second
flag	users delete	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	users delete	--shard-index	?	shard index, from 0 (with --shard-count)
flag	users delete	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	users delete	--json	=+user_id deleted
argument	users delete	1	?
flag	scan-url	--external-user-id	?	external user ID
flag	scan-url	--user-id	?	user ID assigned by the service
flag	scan-url	--language	nl da en fr de es sv	language of the scan page (default: the user’s language)
flag	scan-url	--expire-at	?	expiry of the link, without a time zone
flag	scan-url	--open	-	open the link in the browser instead of printing it
flag	scan-url	--copy	-	copy the link to the clipboard for 45 seconds instead of printing it
flag	scan-url	--qr	-	show a QR code instead of printing the link
flag	scan-url	--qr-file	@files	save a QR code to a PNG image that only you can read
flag	scan-url	--wait	=?	wait for the next scan and print it (default 15m)
flag	scan-url	--users	@files	run for each user of a file, or - for standard input
flag	scan-url	--keep	+?	columns of the file to copy to the output
flag	scan-url	--out	@files	write to a file; the same command resumes it
flag	scan-url	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	scan-url	--delimiter	?	delimiter between cells (default: detected)
flag	scan-url	--skip-invalid	-	skip invalid rows of the file
flag	scan-url	--errors	@files	file for failed users
flag	scan-url	--max-concurrency	?	maximum concurrent requests
flag	scan-url	--rate	?	maximum requests per second
flag	scan-url	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	scan-url	--shard-index	?	shard index, from 0 (with --shard-count)
flag	scan-url	--shard-count	?	number of shards (for --shard-index and --shard auto)
argument	scan-url	1	?
flag	dashboard-url	--external-user-id	?	external user ID
flag	dashboard-url	--user-id	?	user ID assigned by the service
flag	dashboard-url	--language	nl da en fr de es sv	language of the dashboard (default: the user’s language)
flag	dashboard-url	--disable	+main metrics biomarkers recommendations todos	sections to omit
flag	dashboard-url	--open	-	open the link in the browser instead of printing it
flag	dashboard-url	--copy	-	copy the link to the clipboard for 45 seconds instead of printing it
flag	dashboard-url	--qr	-	show a QR code instead of printing the link
flag	dashboard-url	--qr-file	@files	save a QR code to a PNG image that only you can read
flag	dashboard-url	--users	@files	run for each user of a file, or - for standard input
flag	dashboard-url	--keep	+?	columns of the file to copy to the output
flag	dashboard-url	--out	@files	write to a file; the same command resumes it
flag	dashboard-url	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	dashboard-url	--delimiter	?	delimiter between cells (default: detected)
flag	dashboard-url	--skip-invalid	-	skip invalid rows of the file
flag	dashboard-url	--errors	@files	file for failed users
flag	dashboard-url	--max-concurrency	?	maximum concurrent requests
flag	dashboard-url	--rate	?	maximum requests per second
flag	dashboard-url	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	dashboard-url	--shard-index	?	shard index, from 0 (with --shard-count)
flag	dashboard-url	--shard-count	?	number of shards (for --shard-index and --shard auto)
argument	dashboard-url	1	?
flag	token	--external-user-id	?	external user ID
flag	token	--user-id	?	user ID assigned by the service
flag	token	--copy	-	copy the link to the clipboard for 45 seconds instead of printing it
flag	token	--qr	-	show a QR code instead of printing the link
flag	token	--qr-file	@files	save a QR code to a PNG image that only you can read
flag	token	--users	@files	run for each user of a file, or - for standard input
flag	token	--keep	+?	columns of the file to copy to the output
flag	token	--out	@files	write to a file; the same command resumes it
flag	token	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	token	--delimiter	?	delimiter between cells (default: detected)
flag	token	--skip-invalid	-	skip invalid rows of the file
flag	token	--errors	@files	file for failed users
flag	token	--max-concurrency	?	maximum concurrent requests
flag	token	--rate	?	maximum requests per second
flag	token	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	token	--shard-index	?	shard index, from 0 (with --shard-count)
flag	token	--shard-count	?	number of shards (for --shard-index and --shard auto)
argument	token	1	?
flag	biomarkers list	--external-user-id	?	external user ID
flag	biomarkers list	--user-id	?	user ID assigned by the service
flag	biomarkers list	--start	?	only scans after this time
flag	biomarkers list	--end	?	only scans before this time
flag	biomarkers list	--order	asc desc	order by time (default: desc in tables, otherwise asc)
flag	biomarkers list	--chart	=heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure	draw a line chart of one biomarker or all
flag	biomarkers list	--limit	?	maximum number of scans (default 10)
flag	biomarkers list	--all	-	all scans
flag	biomarkers list	--users	@files	run for each user of a file, or - for standard input
flag	biomarkers list	--keep	+?	columns of the file to copy to the output
flag	biomarkers list	--out	@files	write to a file; the same command resumes it
flag	biomarkers list	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	biomarkers list	--delimiter	?	delimiter between cells (default: detected)
flag	biomarkers list	--skip-invalid	-	skip invalid rows of the file
flag	biomarkers list	--errors	@files	file for failed users
flag	biomarkers list	--max-concurrency	?	maximum concurrent requests
flag	biomarkers list	--rate	?	maximum requests per second
flag	biomarkers list	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	biomarkers list	--shard-index	?	shard index, from 0 (with --shard-count)
flag	biomarkers list	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	biomarkers list	--json	=+timestamp heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure face_scan_id timestamp_epoch
argument	biomarkers list	1	?
flag	biomarkers latest	--external-user-id	?	external user ID
flag	biomarkers latest	--user-id	?	user ID assigned by the service
flag	biomarkers latest	--count	?	number of scans
flag	biomarkers latest	--watch	-	show each new scan until Ctrl-C
flag	biomarkers latest	--users	@files	run for each user of a file, or - for standard input
flag	biomarkers latest	--keep	+?	columns of the file to copy to the output
flag	biomarkers latest	--out	@files	write to a file; the same command resumes it
flag	biomarkers latest	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	biomarkers latest	--delimiter	?	delimiter between cells (default: detected)
flag	biomarkers latest	--skip-invalid	-	skip invalid rows of the file
flag	biomarkers latest	--errors	@files	file for failed users
flag	biomarkers latest	--max-concurrency	?	maximum concurrent requests
flag	biomarkers latest	--rate	?	maximum requests per second
flag	biomarkers latest	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	biomarkers latest	--shard-index	?	shard index, from 0 (with --shard-count)
flag	biomarkers latest	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	biomarkers latest	--json	=+timestamp heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure face_scan_id timestamp_epoch
argument	biomarkers latest	1	?
flag	biomarkers get	--external-user-id	?	external user ID
flag	biomarkers get	--user-id	?	user ID assigned by the service
fields	biomarkers get	--json	=+face_scan_id timestamp heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure timestamp_epoch
argument	biomarkers get	1	?
flag	biomarkers compare	--external-user-id	?	external user ID
flag	biomarkers compare	--user-id	?	user ID assigned by the service
flag	biomarkers compare	--before	?	average the scans before this time
flag	biomarkers compare	--after	?	average the scans after this time
flag	biomarkers compare	--count	?	maximum scans per period, nearest to the time
fields	biomarkers compare	--json	=+biomarker before after unit change change_percent
argument	biomarkers compare	1	?
flag	metrics	--external-user-id	?	external user ID
flag	metrics	--users	@files	run for each user of a file, or - for standard input
flag	metrics	--keep	+?	columns of the file to copy to the output
flag	metrics	--out	@files	write to a file; the same command resumes it
flag	metrics	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	metrics	--delimiter	?	delimiter between cells (default: detected)
flag	metrics	--skip-invalid	-	skip invalid rows of the file
flag	metrics	--errors	@files	file for failed users
flag	metrics	--max-concurrency	?	maximum concurrent requests
flag	metrics	--rate	?	maximum requests per second
flag	metrics	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	metrics	--shard-index	?	shard index, from 0 (with --shard-count)
flag	metrics	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	metrics	--json	=+metric score confidence
argument	metrics	1	?
flag	wellbeing	--external-user-id	?	external user ID
flag	wellbeing	--user-id	?	user ID assigned by the service
flag	wellbeing	--users	@files	run for each user of a file, or - for standard input
flag	wellbeing	--keep	+?	columns of the file to copy to the output
flag	wellbeing	--out	@files	write to a file; the same command resumes it
flag	wellbeing	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	wellbeing	--delimiter	?	delimiter between cells (default: detected)
flag	wellbeing	--skip-invalid	-	skip invalid rows of the file
flag	wellbeing	--errors	@files	file for failed users
flag	wellbeing	--max-concurrency	?	maximum concurrent requests
flag	wellbeing	--rate	?	maximum requests per second
flag	wellbeing	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	wellbeing	--shard-index	?	shard index, from 0 (with --shard-count)
flag	wellbeing	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	wellbeing	--json	=+physical mental energy_sleep status_label
argument	wellbeing	1	?
flag	summary	--external-user-id	?	external user ID
flag	summary	--user-id	?	user ID assigned by the service
flag	summary	--language	nl da en fr de es sv	language of the texts
flag	summary	--users	@files	run for each user of a file, or - for standard input
flag	summary	--keep	+?	columns of the file to copy to the output
flag	summary	--out	@files	write to a file; the same command resumes it
flag	summary	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	summary	--delimiter	?	delimiter between cells (default: detected)
flag	summary	--skip-invalid	-	skip invalid rows of the file
flag	summary	--errors	@files	file for failed users
flag	summary	--max-concurrency	?	maximum concurrent requests
flag	summary	--rate	?	maximum requests per second
flag	summary	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	summary	--shard-index	?	shard index, from 0 (with --shard-count)
flag	summary	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	summary	--json	=+feedback tip
argument	summary	1	physical mental energy_sleep
flag	recommendations	--external-user-id	?	external user ID
flag	recommendations	--user-id	?	user ID assigned by the service
flag	recommendations	--language	nl da en fr de es sv	language of the texts (default: the user’s language)
flag	recommendations	--users	@files	run for each user of a file, or - for standard input
flag	recommendations	--keep	+?	columns of the file to copy to the output
flag	recommendations	--out	@files	write to a file; the same command resumes it
flag	recommendations	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	recommendations	--delimiter	?	delimiter between cells (default: detected)
flag	recommendations	--skip-invalid	-	skip invalid rows of the file
flag	recommendations	--errors	@files	file for failed users
flag	recommendations	--max-concurrency	?	maximum concurrent requests
flag	recommendations	--rate	?	maximum requests per second
flag	recommendations	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	recommendations	--shard-index	?	shard index, from 0 (with --shard-count)
flag	recommendations	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	recommendations	--json	=+relevance title description related_metric lookup_key action_text action_url image_url
argument	recommendations	1	?
flag	answers keys	--limit	?	maximum number of keys (default: all)
flag	answers keys	--all	-	all keys
fields	answers keys	--json	=+lookup_key
flag	answers list	--external-user-id	?	external user ID
flag	answers list	--limit	?	maximum number of answers (default 50)
flag	answers list	--all	-	all answers
flag	answers list	--page-parameter	?	query parameter for the page number
flag	answers list	--users	@files	run for each user of a file, or - for standard input
flag	answers list	--keep	+?	columns of the file to copy to the output
flag	answers list	--out	@files	write to a file; the same command resumes it
flag	answers list	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	answers list	--delimiter	?	delimiter between cells (default: detected)
flag	answers list	--skip-invalid	-	skip invalid rows of the file
flag	answers list	--errors	@files	file for failed users
flag	answers list	--max-concurrency	?	maximum concurrent requests
flag	answers list	--rate	?	maximum requests per second
flag	answers list	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	answers list	--shard-index	?	shard index, from 0 (with --shard-count)
flag	answers list	--shard-count	?	number of shards (for --shard-index and --shard auto)
fields	answers list	--json	=+question_lookup_key answer score local_timestamp health_scan_id
argument	answers list	1	?
flag	answers save	--external-user-id	?	external user ID
flag	answers save	--user-id	?	user ID assigned by the service
flag	answers save	--timezone	?	IANA time zone of the answer
fields	answers save	--json	=+lookup_key value user_id
argument	answers save	1	height weight balance_coordination hours_sport_week daily_activities nightly_wake_ups feeling_stressed_last_month struggling_irritations_last_month things_your_way_last_month average_sleep_hours age parental_hypertension smoking
argument	answers save	2	?
flag	answers import	--timezone	?	time zone for rows without a time zone
flag	answers import	--map	+?	rename a column of the file (theirs=ours), or ignore it (theirs=)
flag	answers import	--delimiter	?	delimiter between cells (default: detected)
flag	answers import	--batch-size	?	maximum answers per request
flag	answers import	--skip-invalid	-	import only the valid rows
flag	answers import	--results	@directories	directory for result files (default: the directory of the input)
flag	answers import	--max-concurrency	?	maximum concurrent requests
flag	answers import	--rate	?	maximum requests per second
flag	answers import	--on-ambiguous	hold resend skip	handling of rows with an unknown outcome
flag	answers import	--verbose	-	show the complete summary
flag	answers import	--page-parameter	?	query parameter for the page number
flag	answers import	--shard	?	shard k of n, or auto for the index of a Kubernetes or Slurm task
flag	answers import	--shard-index	?	shard index, from 0 (with --shard-count)
flag	answers import	--shard-count	?	number of shards (for --shard-index and --shard auto)
flag	answers import	--again	-	import a file that was already imported
fields	answers import	--json	=+id source profile status rows accepted rejected unknown unsent requests retried seconds rejects_file unknown_file
argument	answers import	1	@files
flag	imports list	--limit	?	maximum number of imports (default 50)
flag	imports list	--all	-	all imports
fields	imports list	--json	=+id status source profile started_at rows accepted rejected unknown unsent
fields	imports show	--json	=+id status source profile started_at last_activity_at host rows accepted rejected unknown unsent problem
argument	imports show	1	?
flag	imports resume	--results	@directories	directory for result files (default: the directory of the input)
flag	imports resume	--max-concurrency	?	maximum concurrent requests
flag	imports resume	--rate	?	maximum requests per second
flag	imports resume	--on-ambiguous	hold resend skip	handling of rows with an unknown outcome
flag	imports resume	--verbose	-	show the complete summary
flag	imports resume	--page-parameter	?	query parameter for the page number
flag	imports resume	--key-replaced	-	confirm that a different key is for the same users
fields	imports resume	--json	=+id source profile status rows accepted rejected unknown unsent requests retried seconds rejects_file unknown_file
argument	imports resume	1	?
argument	imports resume	2	@files
fields	imports merge	--json	=+profile status shards rows accepted rejected unknown unsent requests retried rejects_files unknown_files
argument	imports merge	1	?
fields	imports remove	--json	=+id removed
argument	imports remove	1	?
flag	profiles add	--base-url	?	base URL of the service
flag	profiles add	--store	keyring file	store for a production key: system keyring or owner-only file
flag	profiles add	--key-command	?	command that prints the key
flag	profiles add	--replace	-	replace the stored key
flag	profiles add	--no-verify	-	store the key without verifying it
fields	profiles add	--json	=+name environment default base_url stored_in fingerprint protect unlocked_until reference store
argument	profiles add	1	?
flag	profiles list	--limit	?	maximum number of profiles (default: all)
flag	profiles list	--all	-	all profiles
fields	profiles list	--json	=+name environment default base_url store fingerprint protect unlocked_until reference
fields	profiles show	--json	=+name environment default base_url stored_in fingerprint protect unlocked_until reference store
argument	profiles show	1	@profiles
fields	profiles use	--json	=+name environment default base_url stored_in fingerprint protect unlocked_until reference store
argument	profiles use	1	@profiles
flag	profiles set	--protect	read-only confirm off	protection from changes: refuse all, confirm each, or none
flag	profiles set	--base-url	?	base URL of the service
flag	profiles set	--key-command	?	command that prints the key
flag	profiles set	--reference	on off	show reference values of facescan (zones, directions)
fields	profiles set	--json	=+name environment default base_url stored_in fingerprint protect unlocked_until reference store
argument	profiles set	1	@profiles
flag	profiles unlock	--for	?	duration, such as 15m (maximum 24h)
flag	profiles unlock	--reason	?	reason for the audit log, without personal data
fields	profiles unlock	--json	=+name environment default base_url stored_in fingerprint protect unlocked_until reference store
argument	profiles unlock	1	@profiles
flag	profiles move-key	--store	keyring file	new store of the key
fields	profiles move-key	--json	=+name environment default base_url stored_in fingerprint protect unlocked_until reference store
argument	profiles move-key	1	@profiles
fields	profiles remove	--json	=+name removed
argument	profiles remove	1	@profiles
fields	status	--json	=+profile environment base_url protect fingerprint config_dir state_dir problem settings
flag	doctor	--network	-	also check the connection: certificate, clock, latency, key
flag	doctor	--bundle	@files	write a support report without secrets to this file
fields	doctor	--json	=+check status detail fix
flag	history list	--external-user-id	?	only changes of this user
flag	history list	--user-id	?	only changes of the user with this internal ID
flag	history list	--limit	?	maximum number of changes (default 50)
flag	history list	--all	-	all changes
fields	history list	--json	=+time command outcome profile os_user user_id status detail host sequence fingerprint method path request_id reason
fields	history verify	--json	=+ok lines files first last problems
flag	sandbox serve	--port	?	port to listen on (0: any free port)
flag	sandbox serve	--host	?	address to listen on
flag	sandbox serve	--expose-to-network	-	allow connections from other machines
flag	sandbox serve	--db	@files	database file (default: the database of the built-in sandbox)
flag	sandbox serve	--revision	current earlier both	accepted identifiers: current or earlier revision of the API
flag	sandbox serve	--latency	?	delay of each response
flag	sandbox serve	--fail	+?	status and share of failed requests, such as 503:0.05
flag	sandbox serve	--reset	?	share of requests whose connection is reset
flag	sandbox serve	--late-apply	?	share of changes that are applied after a reset
flag	sandbox serve	--late-by	?	maximum delay of a late change
flag	sandbox serve	--rate-limit	?	maximum requests per second; others get 429
flag	sandbox serve	--seed	?	seed of the random failures
flag	sandbox scan	--external-user-id	?	external user ID
flag	sandbox scan	--user-id	?	user ID assigned by the service
flag	sandbox scan	--count	?	number of scans
flag	sandbox scan	--days	?	number of past days to spread the scans over
flag	sandbox scan	--seed	?	seed of the random values
flag	sandbox scan	--db	@files	database file (default: the database of the built-in sandbox)
fields	sandbox scan	--json	=+recorded first last latest_face_scan_id
argument	sandbox scan	1	?
flag	sandbox key	--db	@files	database file (default: the database of the built-in sandbox)
flag	sandbox key	--production	-	print the production key instead of the development key
flag	sandbox status	--db	@files	database file (default: the database of the built-in sandbox)
flag	sandbox reset	--db	@files	database file (default: the database of the built-in sandbox)
fields	sandbox reset	--json	=+database reset
flag	api	--raw-field -f	+?	text field
flag	api	--field -F	+?	field; converts numbers, true, false, null, and @file
flag	api	--body	@files	JSON body from a file, or - for standard input
argument	api	1	GET POST PUT DELETE
argument	api	2	?
flag	ce-label	--out	@files	write the PNG image to this file
fields	ce-label	--json	=+file content_type bytes base64
flag	widgets biomarker	--external-user-id	?	external user ID
flag	widgets biomarker	--user-id	?	user ID assigned by the service
flag	widgets biomarker	--face-scan-id	?	face scan ID
fields	widgets biomarker	--json	=+title value percentage locked
argument	widgets biomarker	1	heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure
flag	widgets metric	--external-user-id	?	external user ID
flag	widgets metric	--user-id	?	user ID assigned by the service
fields	widgets metric	--json	=+title value percentage locked
argument	widgets metric	1	energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality
flag	widgets graph	--external-user-id	?	external user ID
flag	widgets graph	--user-id	?	user ID assigned by the service
flag	widgets graph	--title	?	title of the graph
flag	widgets graph	--start	?	first day (default: 8 days ago)
flag	widgets graph	--stop	?	last day (default: today)
fields	widgets graph	--json	=+timestamp label value hint
argument	widgets graph	1	heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality
fields	schema	--json	=+command effect local_effect credentials summary description user arguments flags examples output exit_codes
argument	completion	1	bash zsh fish powershell
fields	help	--json	=+name summary sections
argument	help	1	commands environment exit-codes flags formats import many-users profiles
flag	*	--profile -p	@profiles	profile to use
flag	*	--key-file	@files	read the API key from a file
flag	*	--key-stdin	-	read the API key from standard input
flag	*	--action-token	@files	read an action token from a file, or - for standard input
flag	*	--output -o	table json ndjson csv tsv	output format
flag	*	--json	=?	print JSON, optionally only some fields
flag	*	--jq	?	filter the JSON with jq
flag	*	--no-header	-	omit the header line
flag	*	--no-truncate	-	do not truncate cells
flag	*	--excel	-	CSV that is safe to open in Excel
flag	*	--color	auto always never	when to use color
flag	*	--quiet -q	-	print only data, warnings, and errors
flag	*	--dry-run -n	-	show the request without sending it
flag	*	--yes -y	-	answer yes to prompts (not in production)
flag	*	--confirm	?	confirm a change: profile name, user ID, or number of users
flag	*	--no-input	-	never prompt
flag	*	--timeout	?	maximum wait for a response
flag	*	--max-time	?	maximum time for the entire command
flag	*	--retries	?	maximum retries of a failed request
flag	*	--strict	-	fail if a response has an unexpected shape
flag	*	--redact	-	replace IDs, tokens, and customer names with pseudonyms
flag	*	--debug	-	trace requests on stderr, with secrets masked
flag	*	--curl	-	show each request as a curl command
flag	*	--har	@files	write requests and responses to a HAR file, with secrets masked
flag	*	--help -h	-	
flag	*	--version -V	-	'

__facescan_awk='
BEGIN {
  FS = "\t"
  last = ARGC - 1
  for (i = 1; i <= last; i++) { typed[i] = ARGV[i]; ARGV[i] = "" }
}
{ rows[NR] = $0 }
$1 == "word" { branches[$2] = 1 }
$1 == "argument" { arguments[$2, $3] = $4 }
$1 == "flag" || $1 == "fields" {
  count = split($3, names, " ")
  for (i = 1; i <= count; i++) if (!(($2, names[i]) in flags)) flags[$2, names[i]] = $4
}
END {
  # "facescan help" is followed by the words of a command or by a topic.
  help = last > 1 && typed[1] == "help"
  position = 1
  for (i = help ? 2 : 1; i < last; i++) {
    if (pending != "") pending = ""
    else if (typed[i] ~ /^-/) { if (valuesOf(typed[i]) ~ /^[^-=]/) pending = typed[i] }
    else if (path in branches) path = path == "" ? typed[i] : path " " typed[i]
    else position++
  }
  word = typed[last]
  if (pending == "" && match(word, /^--[^=]+=/)) {
    prefix = substr(word, 1, RLENGTH)
    pending = substr(word, 1, RLENGTH - 1)
  }
  if (pending != "") offerValues(valuesOf(pending), prefix)
  else if (word ~ /^-/) offerFlags()
  else {
    if (path in branches) offerWords()
    else if (!help) offerValues(arguments[path, position], "")
    if (help && path == "") offerValues(arguments["help", 1], "")
  }
}
function valuesOf(flag) { return ((path, flag) in flags) ? flags[path, flag] : flags["*", flag] }
function offer(candidate, summary) {
  if (candidate ~ /^@/ || substr(candidate, 1, length(word)) == word) print candidate "\t" summary
}
function offerWords(   i, row) {
  for (i = 1; i <= NR; i++) {
    split(rows[i], row, FS)
    if (row[1] == "word" && row[2] == path) offer(row[3], row[5])
  }
}
# The flags of the command; the global flags too if the person has typed a part of their name.
function offerFlags(   i, j, row, count, names, own) {
  for (i = 1; i <= NR; i++) {
    split(rows[i], row, FS)
    if (row[1] != "flag" || row[2] != path && (row[2] != "*" || own && length(word) < 3)) continue
    if (row[2] == path) own = 1
    count = split(row[3], names, " ")
    for (j = 1; j <= count; j++) offer(names[j], row[5])
  }
}
function offerValues(values, prefix,   i, count, words) {
  sub(/^=/, "", values)
  if (values == "@profiles") { offerProfiles(prefix); return }
  if (values ~ /^[+]/) {
    values = substr(values, 2)
    if (match(word, /^.*,/)) prefix = substr(word, 1, RLENGTH)
  }
  if (values ~ /^[-?]/) return
  count = split(values, words, " ")
  for (i = 1; i <= count; i++) offer(words[i] ~ /^@/ ? words[i] : prefix words[i], "")
}
# The profile file contains each name on its own line.
function offerProfiles(prefix,   folder, line) {
  offer(prefix "SANDBOX-DEV", "")
  folder = ENVIRON["FACESCAN_CONFIG_DIR"]
  if (folder == "" && ENVIRON["XDG_CONFIG_HOME"] != "") folder = ENVIRON["XDG_CONFIG_HOME"] "/facescan"
  if (folder != "") readProfiles(folder, prefix)
  else if (!readProfiles(ENVIRON["HOME"] "/Library/Application Support/facescan", prefix) && !readProfiles(ENVIRON["APPDATA"] "/facescan", prefix))
    readProfiles(ENVIRON["HOME"] "/.config/facescan", prefix)
}
function readProfiles(folder, prefix,   line, found) {
  while ((getline line < (folder "/profiles.json")) > 0) {
    found = 1
    if (line ~ /^    "[^"]*": [{]$/) offer(prefix substr(line, 6, length(line) - 9), "")
  }
  return found
}
'

_facescan() {
  local -a words=()
  local IFS=$'\n' word current typed count=0
  # bash splits --flag=value into three words.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((count > 0)) && [[ $word == '=' || ${words[count - 1]} == --*= ]]; then
      words[count - 1]="${words[count - 1]}$word"
    else
      words[count]="$word"
      count=$((count + 1))
    fi
  done
  current="${words[count - 1]}"
  typed="${COMP_WORDS[COMP_CWORD]}"
  [[ $typed == '=' ]] && typed=
  COMPREPLY=()
  while read -r word; do
    case "$word" in
      @files*) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$typed")) ;;
      @directories*) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$typed")) ;;
      *)
        word="${word%%$'\t'*}"
        COMPREPLY+=("${word#"${current%"$typed"}"}")
        [[ $word == *,* ]] && compopt -o nospace
        ;;
    esac
  done < <(printf '%s\n' "$__facescan_rows" | awk "$__facescan_awk" "${words[@]}")
}

complete -F _facescan facescan
